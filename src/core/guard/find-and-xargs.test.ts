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
  ["find ~ -name 'id_*' -exec cat {} +", "block"],
  ["find src -name 'id_*' -exec cat {} +", "allow"],
  ["fdfind . / -X rm -rf", "block"],
  ["echo / | parallel rm -rf", "block"],
  ["find . -name x -delete", "allow"],
  ["find . -delete", "block"],
  ["find dist -delete", "allow"],
  ["find / -name x -exec rm {} +", "block"],
  ["find . -name x -ok rm -rf / ';'", "block"],
  ["find . -name x | xargs rm -rf", "allow"],
  ["find / -name x | xargs rm -rf", "block"],
  ["find . -fprintf ~/.bashrc x", "block"],
  ["echo a / | xargs rm -rf", "block"],
  ["echo / | xargs -I{} sh -c 'rm -rf {}'", "block"],
  ["ls | xargs echo rm -rf /", "allow"],
  ["find . -name '*.ts' -exec grep x {} +", "allow"],
])("%s: %s, for it judges what find and xargs run (R-121)", (command, expected) => {
  check(command, expected);
});
