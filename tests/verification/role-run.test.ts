import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { emptyView, foldEntry } from "../../src/core/journal/run-view.ts";
import { verificationResults } from "../../src/core/journal/verification-results.ts";
import { runPolicy } from "../../src/core/settings/run/run-policy.ts";
import { settingsSchema } from "../../src/core/settings/settings.ts";
import { withCriterion } from "../../src/core/settings/run/with-criterion.ts";
import { readCriterion } from "../../src/core/tasks/criteria/read-completion-spec.ts";
import { startRun } from "../../src/shell/drivers/start-run.ts";
import { ownEnvironment } from "../../src/shell/wire-store.ts";
import { wire } from "../../src/shell/wire.ts";
import { allAgents } from "../../src/shell/wire-agents.ts";
import { renderRun } from "../../src/surfaces/cli/views/render-run.ts";
import { summarise } from "../../src/app/query/summary/run-summary.ts";

const selfArgv = [process.execPath, join(import.meta.dirname, "..", "..", "bin", "ralph.js")];

/** Runs a role with `ralph sim` as agent, by the production driver on a store of its own. */
async function runRole(script: string, criterionDocument: Record<string, unknown>, iterationsMax = 4) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-role-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const projectDir = join(root, "project");
  mkdirSync(projectDir);
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  const git = (...words: string[]) => execFileSync("git", ["-C", projectDir, ...words], { encoding: "utf8" });
  git("init", "--quiet");
  git(...identity, "commit", "--quiet", "--allow-empty", "--message", "start");
  writeFileSync(join(root, "sim.yaml"), script);
  const agents = allAgents(selfArgv);
  const env = { ...ownEnvironment(), RALPH_SIM_STATE: root };
  const machine = await wire({ env, agents, selfArgv, folder: join(root, "state"), killGraceMs: 200 });
  const read = readCriterion(criterionDocument);
  if ("problems" in read) throw new Error(JSON.stringify(read.problems));
  const settings = settingsSchema.parse({
    agent: { command: "sim", flags: ["--script", join(root, "sim.yaml")], retryDelay: 0 },
  });
  const order = withCriterion(
    {
      version: "1",
      projectDir,
      prompt: { kind: "text", text: "Build it." },
      settings,
      settingsFiles: {},
      policy: { ...runPolicy(settings), kind: "work", iterationsMax },
      startCommit: git("rev-parse", "HEAD").trim(),
    },
    { role: "coder", criterion: read.criterion, outcome: "It is built.", acceptanceCriteria: ["it is built"] },
  );
  const { id, state } = await startRun(machine, order, {
    sink: { entry: () => {}, agentEvent: () => {} },
    onRequest: () => () => {},
    onCheck: () => {},
    onStderr: () => undefined,
    onTaken: () => {},
  });
  const [record] = await machine.store.find(id);
  const view = (await machine.store.readJournal(id, 0, 1000)).reduce(foldEntry, emptyView);
  await machine.store.close();
  if (record === undefined) throw new Error("the run is not stored");
  const shown = renderRun({ run: record, summary: summarise(record, false), view, folder: machine.folder }, Date.now());
  return { state, view, shown, projectDir, results: verificationResults(view, state.policy) };
}

it("refuses a wrong promise and a lie, tells why, and completes on evidence alone (S2-14, S2-15, S2-58, S2-61, CW-2B, CW-2O, R-14, R-71)", async () => {
  const script = `
turns:
  - [{ say: "Still at it." }]
  - [{ claim: BLOCKED_NOT }]
  - [{ lie: CODE_DONE }]
  - [{ edit: { file: built.txt, content: "built" } }, { claim: CODE_DONE }]
`;
  const { state, results, shown, view } = await runRole(script, {
    promise: "CODE_DONE",
    description: "The file is built",
    verification_method: "multi_stage",
    verification_config: {
      stages: [
        { name: "built", method: "external", config: { command: "test -f built.txt" } },
        { name: "said", method: "string_match", config: { loose: true } },
      ],
    },
  });
  expect(state.outcome).toMatchObject({ name: "completed", reason: "Completion verified" });
  expect(results.map(({ promise_found, verified }) => [promise_found, verified])).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [true, true],
  ]);
  const refused = "Stage 'built' failed: Command exited with 1, expected 0";
  expect(results.map(({ reason }) => reason)).toEqual([
    "No completion promise found",
    "Wrong promise 'BLOCKED_NOT', expected 'CODE_DONE'",
    refused,
    "All 2 verification stages passed",
  ]);
  expect(view.iterations[2]?.feedback).toMatchObject([{ kind: "wrong-promise", found: "BLOCKED_NOT" }]);
  expect(view.iterations[3]?.feedback).toMatchObject([{ kind: "reason", reason: refused }]);
  expect(shown).toContain("red: The file is built (multi_stage");
  expect(shown).toContain(`    ${refused}`);
  expect(shown).toMatch(
    / {4}red: built \(external, exit code 1, .*log: \/.*\/state\/runs\/.*\/checks\/coder\/003_built\.log/,
  );
  expect(shown).toMatch(/ {4}unverified: said \(string_match, .*, met by the claim alone\): Promise found in output/);
});

it("asks the judge in a fresh context, adds its spend and refuses its refusal at the limit (S2-16, S2-24, CW-2C, R-66, R-67)", async () => {
  const script = `
turns:
  - when: You verify whether
    steps: [{ say: "NOT_VERIFIED: all verified except x" }]
  - [{ lie: CODE_DONE }]
`;
  const criterion = { promise: "CODE_DONE", verification_method: "semantic" };
  const { state, projectDir, shown } = await runRole(script, criterion, 1);
  expect(state.outcome).toMatchObject({
    name: "exhausted",
    reason: "Max iterations reached. Last verification: all verified except x",
  });
  expect(state.spend.isPartial).toBe(true);
  expect(existsSync(join(projectDir, ".ralph/criterion_001_semantic.log"))).toBe(true);
  expect(shown).toContain("all verified except x");
});

/** Counts its runs in a file outside the work tree; `test` sees the count as `$n`. */
const counting = (file: string, test: string) =>
  `n=$(($(cat ../${file} 2>/dev/null || echo 0) + 1)); echo $n > ../${file}; ${test}`;
const claimTwice = "turns:\n  - [{ claim: CODE_DONE }]\n  - [{ claim: CODE_DONE }]\n";

it("does not complete on a green stage of an earlier iteration that is red now, on an equal tree (S2-59)", async () => {
  const stages = [
    { name: "outside", method: "external", config: { command: counting("outside", "test $n = 1") } },
    { name: "late", method: "external", config: { command: counting("late", "test $n = 2") }, always: true },
  ];
  const criterion = { promise: "CODE_DONE", verification_method: "multi_stage", verification_config: { stages } };
  const { state } = await runRole(claimTwice, criterion, 2);
  expect(state.outcome).toMatchObject({
    name: "exhausted",
    reason: "Max iterations reached. Last verification: Stage 'outside' failed: Command exited with 1, expected 0",
  });
});

it("completes when a server that was down comes up, on an equal tree (S2-59)", async () => {
  const config = { command: counting("server", "test $n = 2") };
  const criterion = { promise: "CODE_DONE", verification_method: "external", verification_config: config };
  const { state } = await runRole(claimTwice, criterion, 2);
  expect(state.outcome).toMatchObject({ name: "completed" });
});
