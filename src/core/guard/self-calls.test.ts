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
  [":(){ :|:& };:", "block"],
  ["f(){ g(){ f & }; f & }", "block"],
  ["f() { ls | wc -l; }; f", "allow"],
  ["f() { f; }; f", "allow"],
  ["while true; do echo x >> log; done", "block"],
  ["while true; do echo x >> log; sleep 1; done", "allow"],
  ["while true; do echo x > /dev/null; done", "allow"],
  ["while ls; do echo x >> log; done", "allow"],
])("%s: %s, for it finds what starts itself, and loops that fill the machine (R-120)", (command, expected) => {
  check(command, expected);
});
