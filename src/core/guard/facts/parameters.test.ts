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
  ["x=xrm; ${x#x} -rf /", "block"],
  ["x=rmx; ${x%x} -rf /", "block"],
  ["x=abrm; ${x:2} -rf /", "block"],
  ["x=abrmcd; ${x:2:2} -rf /", "block"],
  ["x=RM; ${x,,} -rf /", "block"],
  ["x=rZm; ${x//Z/} -rf /", "block"],
  ["y=rm; x=y; ${!x} -rf /", "block"],
  ["a=(ls rm); ${a[1]} -rf /", "block"],
  ["rm -rf $PWD", "block"],
  ["rm -rf ${PWD%/*}", "block"],
  ["rm -rf ${PWD##*/}", "allow"],
  ["v=GITHUB_TOKEN; echo ${!v}", "block"],
  ["rm -rf${IFS}~", "block"],
  ["rm -rf $TMPDIR", "block"],
  ["rm -rf $TMPDIR/mine", "allow"],
  ["echo ${#API_KEY}", "allow"],
  ["echo ${API_KEY:0:4}", "block"],
  ["echo $TOKENS_USED $MONKEY", "allow"],
])("%s: %s, for it knows the values people hide words in (R-121)", (command, expected) => {
  check(command, expected);
});
