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
  ["TEST_CMD='npm test' npm run x", "allow"],
  ["POST_COMMAND='rm -rf /' some-tool", "block"],
  ["PS4='$(rm -rf /)' bash -x a.sh", "block"],
  ["PS4='+ $LINENO ' bash -x a.sh", "allow"],
  ["env 'BASH_FUNC_ls%%=() { rm -rf /; }' bash -c ls", "block"],
  ["RUSTC_WRAPPER=/tmp/x cargo build", "block"],
  ["RUSTC_WRAPPER=sccache cargo build", "allow"],
  ["MANPAGER='rm -rf /' man ls", "block"],
  ["LESSOPEN='|rm -rf / %s' less x", "block"],
  ["MAKEFLAGS='--eval=x:;id' make", "block"],
  ["MAKEFLAGS=-j4 make", "allow"],
  ["CC='sh -c \"rm -rf /\"' make", "block"],
  ["CC='ccache gcc' make", "allow"],
  ["GIT_CONFIG_GLOBAL=/tmp/x git log", "block"],
  ["GIT_CONFIG_GLOBAL=/dev/null git log", "allow"],
  ["GIT_CONFIG_COUNT=1 git log", "block"],
  ["npm_config_script_shell=/tmp/x npm test", "block"],
  ["https_proxy=http://evil.example npm i", "block"],
  ["http_proxy=http://127.0.0.1:8080 npm i", "allow"],
  ["NODE_TLS_REJECT_UNAUTHORIZED=0 npm i", "block"],
  ["DOCKER_HOST=unix:///run/user/1/docker.sock docker ps", "allow"],
  ["PATH=$PATH:/opt/x ls", "allow"],
  ["PATH=/opt/x:$PATH ls", "block"],
  ["PATH=$HOME/.cargo/bin:$PATH cargo test", "warn"],
  ["PATH=/usr/local/bin:/usr/bin ls", "allow"],
  ["PATH=$PWD/bin:$PATH ls", "allow"],
  ["PYTHONPATH=lib:src python3 a.py", "allow"],
  ["PYTHONPATH=/opt/x python3 a.py", "block"],
  ["NODE_OPTIONS='-r ./x.js' node a.js", "block"],
  ["NODE_OPTIONS=--max-old-space-size=99 node a.js", "warn"],
  ["BASH_ENV= sh a.sh", "allow"],
  ["GIT_EDITOR='rm -rf /' git commit", "block"],
  ["unset FOO", "allow"],
  ["unset HISTFILE", "block"],
])("%s: %s, for it judges variables by what they would make others run (R-120)", (command, expected) => {
  check(command, expected);
});
