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
  ["bash -xec 'rm -rf /'", "block"],
  ["bash -c -- 'rm -rf /'", "block"],
  ["bash -O extglob -c 'rm -rf /'", "block"],
  ["bash -c 'rm -rf $1' _ /", "block"],
  ["bash -c 'rm -rf $0' /", "block"],
  ["bash a.sh 'rm -rf /'", "allow"],
  ["bash -n a.sh", "allow"],
  ["bash - <<< 'rm -rf /'", "block"],
  ["bash /dev/stdin <<< 'rm -rf /'", "block"],
  ["sh < a.sh", "allow"],
  ["bash <(echo 'rm -rf /')", "block"],
  ["bash", "allow"],
])("%s: %s, for it reads what a shell is given: text, file or input (R-121)", (command, expected) => {
  check(command, expected);
});
