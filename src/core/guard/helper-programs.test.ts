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
  ["some-runner --quiet rm -rf /", "block"],
  ["some-runner -- bash -c 'rm -rf /'", "block"],
  ["some-runner --on-change 'rm -rf /'", "block"],
  ['some-runner --command "don\'t"', "allow"],
  ["some-runner rm -rf dist", "allow"],
  ["./bin/tool --exec 'rm -rf /' --dry-run", "allow"],
  ["echo rm -rf /", "allow"],
  ["apt-cache show sudo bash", "allow"],
  ["docker run --rm alpine rm -rf /data", "allow"],
  ["rg --pre pdftotext x", "allow"],
  ["rg --pre 'sh -c id' x", "block"],
])("%s: %s, for of programs it does not know it takes only a clear danger (R-121, R-122)", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
