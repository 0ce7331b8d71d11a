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
  ["npm pkg set scripts.preinstall=/tmp/x", "block"],
  ["npm pkg set 'scripts[x]=node /tmp/x.js'", "block"],
  ['npm pkg set --json \'scripts={"x":"rm -rf ~"}\'', "block"],
  ["npm pkg set bin.x=~/Downloads/x", "block"],
  ["npm pkg set main=/tmp/x.js", "block"],
  ["npm set-script x 'sh /tmp/x'", "block"],
  ["jq '.scripts.x = \"sh /tmp/x\"' package.json", "block"],
  ['npm pkg set --json \'scripts={"x":"tsc"}\'', "allow"],
  ["npm pkg set scripts.x='node scripts/x.js' description='writes /tmp/x'", "allow"],
  ["npm pkg get scripts", "allow"],
])("%s: %s, for a script in a package runs later (R-121)", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
