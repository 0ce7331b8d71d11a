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
  ["echo 'rm \\' > a; echo '-rf /' >> a; sh a", "block"],
  ["echo 'npm ci' > a; echo 'npm test' >> a; sh a", "allow"],
  ["tee >(sh) <<< 'rm -rf /'", "block"],
  ["echo 'rm -rf /' > >(bash)", "block"],
  ["echo hi | tee >(cat) >(wc -l)", "allow"],
  ["command_not_found_handle() { rm -rf /; }; x", "block"],
  ["coproc X { rm -rf /; }", "block"],
  ["X=/; (X=dist; ls); rm -rf $X", "block"],
  ["X=dist; (X=/); rm -rf $X", "allow"],
  ["X=dist | X=/; rm -rf ./$X", "block"],
  ["X=/ ls; rm -rf $X/dist", "warn"],
  ["X=/ sh -c 'rm -rf $X'", "block"],
  ["A=rm; A+=' -rf /'; $A", "block"],
  ["for x in dist /; do rm -rf $x; done", "block"],
  ["for x in dist out; do rm -rf $x; done", "allow"],
  ["(cd / && ls) && rm -rf dist", "allow"],
  ["{ cd / && ls; } && rm -rf dist", "block"],
  ["echo 'rm -rf /' > a && cp a b && sh b", "block"],
  ["echo 'npm test' > a && sh a", "allow"],
  ["cat < ~/.ssh/id_rsa", "block"],
  ["echo x > ~/.ssh/x", "block"],
  ["echo x 2>&1", "allow"],
  ["ls >&2", "allow"],
])("%s: %s, for it follows variables, files and folders from command to command (R-121)", (command, expected) => {
  check(command, expected);
});
