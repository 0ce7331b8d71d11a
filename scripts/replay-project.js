import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Makes the project of a scenario with its agent, guardrail and, where it needs them, task list, task or criteria. */
export function makeProject(root, { name, needs, settings, body, hangs }) {
  const project = join(root, "projects", name);
  const agents = join(root, "agents", name);
  const write = (path, text, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  const agent = { command: join(agents, "claude"), retryDelay: 0 };
  write(join(project, ".ralph/settings.json"), JSON.stringify({ agent, ...settings?.(name) }));
  write(join(project, ".gitignore"), ".ralph/\n.ralph-active\ntasks/\n");
  write(join(agents, "claude"), agentSource(name, needs, body ?? "true"), 0o755);
  write(join(agents, "guardrail"), guardrailSource(name), 0o755);
  write(join(agents, "list.js"), listSource);
  if (needs === "prd") for (const [path, text] of Object.entries(listFiles)) write(join(project, path), text);
  if (needs === "work") write(join(project, "one.json"), JSON.stringify({ tasks: [task] }));
  if (needs === "plugin") write(join(project, "ralph/criteria.yaml"), JSON.stringify(criteria));
  mkdirSync(join(project, "tasks/shop/one"), { recursive: true });
  const git = (...words) => execFileSync("git", words, { cwd: project, env: environmentOf(root), stdio: "ignore" });
  git("init", "--quiet", "--template=", "--initial-branch=main");
  git("add", "--all");
  git("commit", "--quiet", "--message", "start");
  if (hangs === "commit") write(join(project, ".git/hooks/pre-commit"), hookSource(name), 0o755);
  if (hangs !== undefined) write(join(root, "hang", `${name}.${hangs}`), "");
  return project;
}

/** The variables of a recorded program: a home, a store and a git identity of its own. */
export function environmentOf(root) {
  return {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: join(root, "home"),
    TMPDIR: join(root, "tmp"),
    RALPH_STATE_HOME: join(root, "state"),
    RALPH_KILL_GRACE_MS: "200",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Fixture",
    GIT_AUTHOR_EMAIL: "fixture@example.invalid",
    GIT_COMMITTER_NAME: "Fixture",
    GIT_COMMITTER_EMAIL: "fixture@example.invalid",
  };
}

/** Waits where the recorder shall stop the program, until it is ended; the wait has an end of its own. */
const hangSource = (name, place) =>
  `if [ -e "$root/hang/${name}.${place}" ]; then echo $$ > "$root/hanging/${name}"; exec sleep 60; fi`;

/** After `go` the first turn claims without work, which a gate must refuse; the next one does the work. */
function agentSource(name, needs, body) {
  const isSupervised = needs === "supervise";
  return `#!/bin/sh
root=$(cd "$(dirname "$0")/../.." && pwd)
case " $* " in *" -- "*) for prompt; do :; done;; *) prompt=$(cat);; esac
result() { printf '{"type":"result","subtype":"success","is_error":false,"result":"","total_cost_usd":0.01,"usage":{"input_tokens":10,"output_tokens":5}}\\n'; }
say() { printf '{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"%s"}]}}\\n' "$1"; }
case $prompt in *"commit message"*) echo "Add work"; exit;; esac
mkdir -p "$root/turns"
n=$(($(cat "$root/turns/${name}" 2>/dev/null || echo 0) + 1)); echo $n > "$root/turns/${name}"
role=$(printf '%s' "$prompt" | sed -n 's/^- \\*\\*Agent\\*\\*: //p' | head -1)
claim() { say "<promise>\${1:-DONE}</promise>"; }
work() { echo work >> work.txt; }
hang() { ${hangSource(name, "agent")}; }
list() { node "$root/agents/${name}/list.js" "$@"; git add -A; git commit -q -m "turn $n"; }
say "Turn $n. "
if [ -e "$root/go/${name}" ] && ${isSupervised ? 'touch "$TASK_FOLDER/DONE"' : goSource(needs)}; then :
else ${body}
fi
result
`;
}

function goSource(needs) {
  // Roles and stories go on as before: their own gates are the criterion and the review.
  if (needs !== "run") return "false";
  return '{ if [ -e "$root/gone" ]; then work; else rm -f work.txt; touch "$root/gone"; fi; claim; }';
}

const guardrailSource = (name) => `#!/bin/sh
root=$(cd "$(dirname "$0")/../.." && pwd)
${hangSource(name, "guardrail")}
test -f work.txt
`;

const hookSource = (name) => `#!/bin/sh
root=$(cd "$(git rev-parse --show-toplevel)/../.." && pwd)
${hangSource(name, "commit")}
`;

const listSource = `const { readFileSync, writeFileSync } = require("node:fs");
const [status, passes, count] = process.argv.slice(2).map((each) => JSON.parse(each));
const list = JSON.parse(readFileSync("ralph/tasks.json", "utf8"));
Object.assign(list.userStories[0], { reviewStatus: status, passes, reviewCount: count, notes: "done" });
writeFileSync("ralph/tasks.json", JSON.stringify(list, null, 2));
`;

const story = {
  id: "US-001",
  title: "Work",
  description: "",
  acceptanceCriteria: ["work.txt is there"],
  priority: 1,
  passes: false,
  reviewStatus: null,
  reviewCount: 0,
  reviewFeedback: "",
  notes: "",
  dependsOn: [],
};

const listFiles = {
  "ralph/tasks.json": JSON.stringify(
    {
      project: "shop",
      branchName: "main",
      description: "A shop",
      verifyCommands: ["test -f work.txt"],
      userStories: [story],
    },
    null,
    2,
  ),
  "ralph/prd.md": "# The PRD\n\nWrite work.txt.\n",
  "ralph/progress.txt": "# Ralph Progress Log\n",
  "ralph/prompt.md": "You {{ROLE}} {{TASK}}.\nWhen every story is approved, output <promise>COMPLETE</promise>.\n",
};

const external = (promise) => ({
  promise,
  description: "work.txt is there",
  verification_method: "external",
  verification_config: { command: "test -f work.txt" },
});

const task = {
  id: "one",
  title: "Work",
  completion: {
    outcome: "It works.",
    acceptance_criteria: ["It works"],
    coder: external("CODED"),
    reviewer: { ...external("REVIEWED"), verification_method: "string_match", verification_config: {} },
  },
};

const criteria = { outcome: "It works.", acceptance_criteria: ["It works"], coder: external("DONE") };
