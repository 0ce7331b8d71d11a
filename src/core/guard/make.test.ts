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

it.each([
  ["make SHELL=/tmp/x", "block"],
  ["make SHELL='rm -rf /' all", "block"],
  ["make SHELL=/bin/bash test", "allow"],
  ["make -f - <<< $'all:\\n\\trm -rf /'", "block"],
  ["make -f - <<< $'all:\\n\\techo hi'", "allow"],
  ["echo 'x: ; rm -rf /' | make -f /dev/stdin", "block"],
  ["make --eval='x:;rm -rf /' x", "block"],
  ["make -f /tmp/x.mk", "block"],
  ["make -f Makefile.dev", "allow"],
  ["make CC='sh -c id'", "block"],
  ["make CC=clang CFLAGS='-O2 -g' PREFIX=/usr", "allow"],
  ["printf 'X != rm -rf /\\n' > Makefile; make", "block"],
])("%s: %s, for it knows what make runs (R-121)", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
