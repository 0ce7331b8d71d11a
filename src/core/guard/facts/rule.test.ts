import { expect, it } from "vitest";
import { judgeCommand } from "../judge-command.ts";

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
  ["git push -qf", "block"],
  ["git reset --har", "block"],
  ["git push -- -f", "allow"],
  ["git -C f push", "allow"],
  ["git -c a.b=-f push", "allow"],
  ["git log --force", "allow"],
  ["/usr/bin/git push -f", "block"],
  ["GIT push -f", "block"],
  ["kubectl --context delete get pods", "allow"],
])("%s: %s, for it reads options as programs do (R-121)", (command, expected) => {
  check(command, expected);
});
