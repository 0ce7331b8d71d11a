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
  ["declare -A m=([a]=ls [b]='rm -rf /'); ${m[b]}", "block"],
  ["declare -A m=([a]=ls [b]='rm -rf /'); ${m[a]}", "allow"],
  ['c[0]=rm; c[1]=-rf; c[2]=/; "${c[@]}"', "block"],
  ['declare -a c=(rm -rf /); "${c[@]}"', "block"],
  ["declare -A m=([go]='rm -rf /'); ${m[go]}", "block"],
  ["declare -A m; m[x]='rm -rf'; ${m[x]} /", "block"],
  ['a=(x y rm -rf /); "${a[@]:2}"', "block"],
  ['f() { local c=("$@"); "${c[@]}"; }; f rm -rf /', "block"],
  ["mapfile -t c < <(printf '%s\\n' rm -rf /); \"${c[@]}\"", "block"],
  ['IFS=, read -ra c <<< "rm,-rf,/"; "${c[@]}"', "block"],
  ["declare -n r=t; t=/; rm -rf $r", "block"],
  ['declare -a c=(npm test); "${c[@]}"', "allow"],
  ['mapfile -t c < <(git diff --name-only); npx --help; echo "${c[@]}"', "allow"],
  ['a=(rm -rf dist); "${a[@]}"', "allow"],
])("%s: %s, for it follows arrays however they are filled (R-121)", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
