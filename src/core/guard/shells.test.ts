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
  ["${SHELL} -c 'rm -rf /'", "block"],
  ["$0 -c 'rm -rf /'", "block"],
  ["ksh93 -c 'rm -rf /'", "block"],
  ["bash --rcfile /tmp/x -i", "block"],
  ["bash --rcfile=<(echo 'rm -rf /') -i", "block"],
  ["bash --rcfile scripts/dev.rc -i", "allow"],
])("%s: %s, for it reads what a shell is given: text, file or input (R-121)", (command, expected) => {
  check(command, expected);
});

it.each([
  ["bash /tmp/evil.sh", "block"],
  ["/tmp/evil.sh", "block"],
  ["sh -e /tmp/evil.sh now", "block"],
  ["bash /tmp/fine.sh", "allow"],
  ["/tmp/tool.py", "allow"],
  ["bash /tmp/missing.sh", "allow"],
  ["echo ls > /tmp/evil.sh; bash /tmp/evil.sh", "allow"],
  ["bash scripts/evil.sh", "allow"],
])("%s: %s, for a script outside the project is judged by what it says (R-121)", (command, expected) => {
  const scripts = new Map([
    ["/tmp/evil.sh", "#!/usr/bin/env bash\ncd /tmp\nrm -rf ~\n"],
    ["/tmp/fine.sh", "#!/bin/sh\nnpm test\n"],
    ["/tmp/tool.py", "#!/usr/bin/env python3\nprint('it' \n)"],
    ["/home/ada/project/scripts/evil.sh", "rm -rf ~"],
  ]);
  const readScript = (path: string): string | null => scripts.get(path) ?? null;
  expect(judgeCommand(command, { ...place, readScript }).decision).toBe(expected);
});
