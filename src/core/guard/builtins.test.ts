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
  ["cd dist && rm -rf ../../x", "block"],
  ["cd / && cd - && rm -rf dist", "allow"],
  ["pushd /tmp/x; rm -rf *", "allow"],
  ["export X=/; rm -rf $X", "block"],
  ["set -- a /; rm -rf $2", "block"],
  ["set -- a /; shift; rm -rf $1", "block"],
  ["read a b <<< 'x /'; rm -rf $b", "block"],
  ["alias x='ls'", "allow"],
  ["alias rm='rm -i'", "block"],
  ['eval "$(cat x)"', "allow"],
  ['eval "$X"', "block"],
  ["source a.sh", "allow"],
  ["source /tmp/a.sh", "block"],
  [". ~/Downloads/a.sh", "block"],
  ["echo 'npm test' > /tmp/a.sh; source /tmp/a.sh", "allow"],
  ["source /tmp/venv/bin/activate", "allow"],
  ["source ~/.nvm/nvm.sh", "allow"],
  ['rm -rf "$(eval echo /)"', "block"],
  ["source <(kubectl completion bash)", "allow"],
  ["trap - EXIT", "allow"],
  ["set +o history", "block"],
])("%s: %s, for it follows the builtins that change the shell (R-121)", (command, expected) => {
  check(command, expected);
});
