import { expect, it } from "vitest";
import { judgeCommand } from "./judge-command.ts";

const place = {
  workTree: "/home/ada/project",
  home: "/home/ada",
  tempFolder: "/tmp",
  cwd: "/home/ada/project",
  store: "/home/ada/.local/state/ralph",
  allow: [],
};

function check(command: string, expected: string): void {
  expect(judgeCommand(command, place).decision).toBe(expected);
}

it.each([
  ["PATH=$PATH:/opt/x ls", "allow"],
  ["PATH=/opt/x:$PATH ls", "block"],
  ["PATH=$HOME/.cargo/bin:$PATH cargo test", "warn"],
  ["PATH=/usr/local/bin:/usr/bin ls", "allow"],
  ["PATH=$PWD/bin:$PATH ls", "allow"],
  ["PYTHONPATH=lib:src python3 a.py", "allow"],
  ["PYTHONPATH=/opt/x python3 a.py", "block"],
  ["NODE_OPTIONS='-r ./x.js' node a.js", "block"],
  ["NODE_OPTIONS=--max-old-space-size=99 node a.js", "warn"],
  ["BASH_ENV= sh a.sh", "allow"],
  ["GIT_EDITOR='rm -rf /' git commit", "block"],
  ["unset FOO", "allow"],
  ["unset HISTFILE", "block"],
])("%s: %s, for it judges variables by what they would make others run (R-120)", (command, expected) => {
  check(command, expected);
});
