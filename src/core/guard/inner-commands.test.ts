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
  ["npm pkg set scripts.postinstall='rm -rf /'", "block"],
  ["npm pkg set scripts.test='vitest run'", "allow"],
  ["npm set-script x 'rm -rf /'", "block"],
  ["jq '.scripts.x = \"rm -rf /\"' package.json", "block"],
  ["jq '.scripts' package.json", "allow"],
  ["npm explore x -- rm -rf /", "block"],
  ["git difftool -x 'rm -rf /' HEAD", "block"],
  ["git difftool --extcmd=meld HEAD", "allow"],
  ["git grep -O'sh -c id' x", "block"],
  ["git grep -Oless x", "allow"],
  ["git clone --upload-pack='rm -rf /' h:r", "block"],
  ["git push --receive-pack='rm -rf /' origin", "block"],
  ["rsync -e 'rm -rf /' a b", "block"],
  ["rsync -ave 'ssh -p 2222' h:a b", "allow"],
  ["man --pager='rm -rf /' ls", "block"],
  ["sort --compress-prog=/tmp/x f", "block"],
  ["sort --compress-program=gzip f", "allow"],
  ["split --filter='rm -rf /' f", "block"],
  ["split --filter='gzip > $FILE.gz' f", "allow"],
  ["go test -exec 'rm -rf /' ./...", "block"],
  ["tar -I zstd -xf x.tar.zst", "allow"],
  ["sed 'w /etc/hosts' f", "block"],
  ["sed -n 's/a/b/w /home/ada/.bashrc' f", "block"],
  ["sed -n '/a/w out.txt' f", "allow"],
  ["sqlite3 x.db '.shell rm -rf /'", "block"],
  ["psql -c '\\! rm -rf /'", "block"],
  ["mysql -e 'system id'", "block"],
  ["gdb -ex 'shell rm -rf /' a.out", "block"],
  ["vim +'!rm -rf /' x", "block"],
  ["vim -c ':w! /etc/hosts' x", "block"],
  ["ed x <<< '!rm -rf /'", "block"],
  ["cmake -E rm -rf /", "block"],
  ["cmake -E rm -rf build", "allow"],
  ["cargo --config 'build.rustc-wrapper=\"/tmp/x\"' build", "block"],
  ["node -r /tmp/x.js a.js", "block"],
  ["node -r dotenv/config a.js", "allow"],
  ["tmux send-keys 'rm -rf /' Enter", "block"],
  ["python3 -m timeit 'import os' 'os.system(\"rm -rf /\")'", "block"],
])("%s: %s, for it reads the commands that programs take (R-121)", (command, expected) => {
  expect(judgeCommand(command, place).decision).toBe(expected);
});
