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
  ["timeout -s KILL 5 rm -rf /", "block"],
  ["nice -n 5 -- rm -rf /", "block"],
  ["flock x rm -rf /", "block"],
  ["watch -n 1 'rm -rf /'", "block"],
  ["poetry run rm -rf /", "block"],
  ["poetry add rm", "allow"],
  ["npm exec -- rm -rf /", "block"],
  ["sudo -u bob rm -rf /", "block"],
  ["exec -a x rm -rf /", "block"],
  ["timeout 5", "allow"],
  ["nohup", "allow"],
])("%s: %s, for it finds the command inside of a wrapper (R-121)", (command, expected) => {
  check(command, expected);
});
