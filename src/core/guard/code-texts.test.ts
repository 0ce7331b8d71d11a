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
  ["python3 -c 'print(1)'", "warn"],
  ["python3 -c 'import os; os.system(\"rm -rf /\")'", "block"],
  ['python3 -c \'import subprocess as s; s.run(["rm", "-rf", "/"])\'', "block"],
  ["python3 -c 'import shutil; shutil.rmtree(\"dist\")'", "warn"],
  ["python3 -c 'print(open(\"/home/ada/.ssh/id_rsa\").read())'", "block"],
  ['python3 -c \'open(".ralph-active", "w").write("x")\'', "block"],
  ["python3 -c 'exec(__import__(\"base64\").b64decode(x))'", "block"],
  ["node -p 'process.version'", "warn"],
  ["node -e 'console.log(process.env)'", "block"],
  ["perl -pe 's/a/b/' x", "allow"],
  ["python3 a.py", "allow"],
  ["python3 -V", "allow"],
])("%s: %s, for it finds the calls of other languages that matter (R-120, R-121)", (command, expected) => {
  check(command, expected);
});
