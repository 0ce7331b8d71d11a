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

it.each([
  ["git difftool -x 'rm -rf /'", "block"],
  ["git difftool -x'rm -rf /'", "block"],
  ["git difftool -yx 'rm -rf /'", "block"],
  ["git difftool --extcmd 'rm -rf /'", "block"],
  ["git difftool --extcmd='rm -rf /'", "block"],
  ["git difftool --extcm='rm -rf /'", "block"],
  ["go build -toolexec='rm -rf /' .", "block"],
  ["git diff -x 'rm -rf /'", "allow"],
  ["foo --pre-command 'rm -rf /'", "block"],
  ["foo --comment 'rm -rf /'", "allow"],
])("%s: %s, for it finds the value of an option in every spelling (R-121)", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
