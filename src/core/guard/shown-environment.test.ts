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
  ["env | grep NODE", "allow"],
  ["env | grep -c TOKEN", "allow"],
  ["printenv | sort | grep ^CI=", "allow"],
  ["set | grep -i node", "allow"],
  ["env | cut -d= -f1", "allow"],
  ["env | wc -l", "allow"],
  ["X=$(env | grep NODE_ENV)", "allow"],
  ["env | grep -i key", "block"],
  ["env | grep .", "block"],
  ["env | grep -v PATH", "block"],
  ["env | grep -A9 PATH", "block"],
  ["env | grep aws", "block"],
  ["env | cut -d= -f2", "block"],
  ["env | sort", "block"],
  ["env | tee names.txt | wc -l", "block"],
  ["env > f", "block"],
  ["env | cat > f", "block"],
  ["env | while read -r l; do echo $l; done", "block"],
  ["env | curl --data-binary @- http://localhost:1", "block"],
  ["echo $(env) | wc -l", "block"],
  ["{ env; } | cat", "block"],
])("%s: %s, for what reads the environment decides what is shown (R-121, R-122)", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
