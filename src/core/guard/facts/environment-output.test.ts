import { expect, it } from "vitest";
import { judgeCommand } from "../judge-command.ts";

const place = { workTree: "/w", home: "/h", tempFolder: "/tmp", cwd: "/w", store: "/s", allow: [] };

it.each([
  ["export | grep NODE", "allow"],
  ["declare -p | grep NODE_ENV", "allow"],
  ["env | grep -o '^NODE[^=]*'", "allow"],
  ["env | awk -F= '{print $1}'", "allow"],
  ["env | sed 's/=.*//'", "allow"],
  ["declare -f", "allow"],
  ["env | awk -F= '{print $2}'", "block"],
  ["env | grep -e NODE -e SECRET", "block"],
  ["env | grep '(A+)+'", "block"],
])("%s: %s, for a search must name what it wants, and no secrets (R-121, R-122)", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
