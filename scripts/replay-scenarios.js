const run = ["run", "-p", "Write work.txt"];
const supervise = ["supervise", "--task-dir", "tasks/shop/one", "--restart-delay", "20ms", "-p", "Do it"];

/** Every run of these has a gate: a claim without `work.txt` must be refused, before an upgrade and after it. */
const checked = (name) => ({ guardrails: [{ command: `sh ../../agents/${name}/guardrail`, failAction: "APPEND" }] });
const delivered = (name) => ({ ...checked(name), scm: { command: "git", tasks: ["commit"] } });

/** What each role of a task does, and what a story needs. */
const role = "case $role in coder) work; claim CODED;; reviewer) claim REVIEWED;; esac";
const story = `case $n in 1) work; list '"needs_review"' false 0;; *) list '"approved"' true 1;; esac`;

/**
 * The runs that a fixture of `tests/replay` holds, one project each. `body` is what the agent does in its turn `$n`, as
 * shell; a file `hang/<scenario>` makes the agent, the guardrail or the commit hook wait (`hangs` says which), so that the
 * program can be stopped there; a file `go/<scenario>`, made when a test resumes the run, makes the agent finish.
 * `stop` is the signal the program gets while it hangs. `needs` is the command that the recorded version must have.
 */
export const scenarios = [
  { name: "run-completed", needs: "run", words: run, settings: checked, body: "[ $n -ge 2 ] && work && claim" },
  { name: "run-exhausted", needs: "run", words: [...run, "-m", "2"], settings: checked, body: "work" },
  {
    name: "run-waiting",
    needs: "run",
    words: run,
    settings: checked,
    body: "say '<promise>BLOCKED: which port?</promise>'",
  },
  {
    name: "run-failing",
    needs: "run",
    words: [...run, "-m", "1"],
    settings: checked,
    body: "echo 'the key is missing' >&2; exit 1",
  },
  {
    name: "run-interrupted",
    needs: "run",
    words: run,
    settings: checked,
    body: "hang",
    hangs: "agent",
    stop: "SIGINT",
  },
  {
    name: "run-killed-turn",
    needs: "run",
    words: run,
    settings: checked,
    body: "hang",
    hangs: "agent",
    stop: "SIGKILL",
  },
  {
    name: "run-killed-guardrail",
    needs: "run",
    words: run,
    settings: checked,
    body: "work",
    hangs: "guardrail",
    stop: "SIGKILL",
  },
  {
    name: "run-killed-delivery",
    needs: "run",
    words: run,
    settings: delivered,
    body: "work; git add work.txt",
    hangs: "commit",
    stop: "SIGKILL",
  },
  {
    name: "supervise-completed",
    needs: "supervise",
    words: supervise,
    body: '[ $n -ge 2 ] && touch "$TASK_FOLDER/DONE"',
  },
  {
    name: "supervise-waiting",
    needs: "supervise",
    words: supervise,
    body: 'touch "$TASK_FOLDER/WAIT_WITHOUT_RESTART"',
  },
  { name: "supervise-code-42", needs: "supervise", words: supervise, body: "exit 42" },
  {
    name: "supervise-exhausted",
    needs: "supervise",
    words: [...supervise, "--max-restarts", "2"],
    body: "exit 1",
  },
  {
    name: "supervise-killed",
    needs: "supervise",
    words: supervise,
    body: "[ $n -ge 2 ] && hang",
    hangs: "agent",
    stop: "SIGKILL",
  },
  {
    name: "work-completed",
    needs: "work",
    words: ["work", "--roles", "coder,reviewer"],
    settings: checked,
    body: role,
  },
  {
    name: "work-killed",
    needs: "work",
    words: ["work", "--roles", "coder,reviewer"],
    settings: checked,
    body: `case $role in reviewer) hang;; esac; ${role}`,
    hangs: "agent",
    stop: "SIGKILL",
  },
  { name: "prd-completed", needs: "prd", words: ["prd", "run", "--unsafe"], settings: checked, body: story },
  {
    name: "prd-killed",
    needs: "prd",
    words: ["prd", "run", "--unsafe"],
    settings: checked,
    body: `[ $n -ge 2 ] && hang; ${story}`,
    hangs: "agent",
    stop: "SIGKILL",
  },
  { name: "session-loop", needs: "plugin", hooks: ["user-prompt-submit", "stop"] },
  { name: "session-native", needs: "plugin", hooks: ["stop"] },
];
