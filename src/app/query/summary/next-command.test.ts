import { describe, expect, it } from "vitest";
import {
  ask,
  done,
  failing,
  goOn,
  move,
  play,
  type Played,
  startAt,
  turn,
  turnStarts,
} from "../../../../tests/engine/play.ts";
import { sampleRun } from "../../../../tests/contract/store-samples.ts";
import { noSpend } from "../../../core/agents/spend.ts";
import { emptyReport } from "../../../core/agents/turn-report.ts";
import type { Outcome } from "../../../core/run/outcome.ts";
import { plainAnswer } from "../../../core/run/gate-answer.ts";
import type { WorkTask } from "../../../core/tasks/work-plan.ts";
import type { RoleEnd } from "../../../core/work/next-step.ts";
import { emptyBook } from "../../../core/work/work-state.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { nextCommand, nextLine } from "./next-command.ts";

const promised = { ...emptyReport.claims, isPromised: true };
const id = "20261115-204355-k7q2";

function record({ state }: Pick<Played, "state">, change: Partial<RunRecord> = {}): RunRecord {
  const times = { createdAt: startAt, updatedAt: startAt, endedAt: null, expiresAt: null };
  return { ...sampleRun(id), ...times, state, epoch: 1, owner: null, outcome: state.outcome, ...change };
}

function check(run: RunRecord, expected: string | null, isDriven = false): void {
  const next = nextCommand(run, isDriven);
  expect(next === null ? null : nextLine(next)).toBe(expected);
}

/** A run that ended with this outcome, whatever led to it. */
function ended(name: Outcome["name"], change: Partial<RunRecord["frozen"]> = {}): RunRecord {
  const run = record(play({}, turn()), { outcome: { name, reason: "" } });
  return { ...run, frozen: { ...run.frozen, ...change } };
}

describe("the next command of a run", () => {
  it("follows a driven run, and resumes a paused or a dead one", () => {
    check(record(play({}, turnStarts)), `Follow it with: ralph logs -f ${id}`, true);
    check(record(goOn(play({}), ask("pause"), turn())), `Resume with: ralph resume ${id}`, true);
    check(record(play({}, turnStarts)), `Resume with: ralph resume ${id}`);
  });

  it("is none of a completed run, and a resume of an interrupted one", () => {
    check(ended("completed"), null);
    check(ended("interrupted"), `Resume with: ralph resume ${id}`);
  });

  it("gives an exhausted run more iterations, after a failed turn once its cause is repaired", () => {
    check(ended("exhausted"), `Give it more iterations with: ralph resume ${id} -m 5`);
    const failed = record(play({ iterationsMax: 1 }, failing));
    check(failed, `Repair the cause, then give it more iterations with: ralph resume ${id} -m 5`);
  });

  it("names the setting behind claims that were refused because nothing changed", () => {
    const words =
      "Ask for something to change, or set completion.requireProgress to false, then start a new run with: ralph run -p 'Fix the test ✔' --agent sim";
    check(record(play({ requireProgress: true, iterationsMax: 1 }, done)), words);
    const still = { isTreeChanged: false };
    const stopped = play({ requireProgress: true, unchangedMax: 1 }, turn({ ...still, claims: promised }));
    check(record(stopped), words);
  });

  it("starts a new run, with all that the command line gave, where the last turn was denied its tools", () => {
    const tools = { calls: 2, errors: 1, denied: 1, deniedChanges: 1, changes: 1 };
    const played = play({ kind: "run", iterationsMax: 1 }, turn({ tools, deniedRemedy: "--allow-edits" }));
    const run = record(played);
    const { settings } = run.frozen;
    const given = {
      ...settings,
      maximumIterations: 7,
      completionResponse: "OKAY",
      agent: { ...settings.agent, model: "big" },
      budget: { spend: 2, tokens: null, time: 7_200_000 },
    };
    const next = nextCommand({ ...run, frozen: { ...run.frozen, settings: given } }, false);
    expect(next?.command).toMatch(
      /^ralph run -p .* --model big -m 7 -c OKAY --max-cost 2 --max-time 2h --agent-flags=.*--allow-edits$/,
    );
  });

  it("answers a question or a block, and only resumes what asks nobody", () => {
    const blocked = turn({ claims: { ...emptyReport.claims, blocked: "no key" } });
    check(record(play({}, blocked)), `Answer with: ralph resume ${id} --answer "TEXT"`);
    const stop = { name: "waiting" as const, reason: "The judge is silent." };
    const unasked = move((effectId) => [{ ...plainAnswer([]), stop, type: "gate-finished", effectId }]);
    const unjudged = record(play({ criteria: 1 }, done, unasked));
    check(unjudged, `When that is settled, resume with: ralph resume ${id}`);
  });

  it.each([
    [{ budgetUsd: 1 }, { spend: { ...noSpend, usd: 1.25 } }, "--max-cost 2.50"],
    [{ budgetTokens: 100 }, { spend: { ...noSpend, inputTokens: 100 } }, "--max-tokens 200"],
    [{ budgetMs: 90_000 }, { usedMs: 90_000 }, "--max-time 3m"],
  ])("raises the budget %j that stopped it", (policy, change, flag) => {
    const { state } = play(policy, turn());
    const stopped = { state: { ...state, ...change, outcome: { name: "stopped" as const, reason: "" } } };
    check(record(stopped), `Raise the budget with: ralph resume ${id} ${flag}`);
  });

  it("asks for a repair before it resumes a failed run, or one that got nowhere", () => {
    check(ended("failed"), `Repair the cause, then resume with: ralph resume ${id}`);
    check(record(play({ failuresMax: 1 }, failing)), `Repair the cause, then resume with: ralph resume ${id}`);
  });

  it.each([
    ["claudee", "Did you mean claude? Start a new run with: ralph run -p 'Fix the test ✔' --agent claude"],
    ["./no-such", "Start a new run with another agent: ralph run -p 'Fix the test ✔' --agent AGENT"],
    ["claude", `Repair the cause, then resume with: ralph resume ${id}`],
  ])("needs a new run where there is no agent %j, but one that is known may be installed", (command, expected) => {
    const startError = { kind: "not-found" as const, message: `${command} was not found` };
    for (const failuresMax of [1, null]) {
      const run = record(play({ kind: "run", failuresMax }, turn({ startError })));
      const { settings } = run.frozen;
      const agent = { ...settings.agent, command };
      check({ ...run, frozen: { ...run.frozen, settings: { ...settings, agent } } }, expected);
    }
  });

  it("starts a new run where the flags or the model that are frozen are the cause", () => {
    const tools = { calls: 1, errors: 1, denied: 1, deniedChanges: 1, changes: 0 };
    check(
      record(play({}, turn({ tools }))),
      "Change the settings, then start a new run with: ralph run -p 'Fix the test ✔' --agent sim",
    );
    const withRemedy = record(play({ kind: "run" }, turn({ tools, deniedRemedy: "--allow-edits" })));
    const given = expect.stringMatching(
      /^Start a new run with: ralph run -p 'Fix the test ✔' .*--agent-flags=.*--allow-edits$/,
    );
    expect(nextLine(nextCommand(withRemedy, false) ?? { words: "", command: "" })).toEqual(given);
  });

  it("starts a new work run where a role failed by what is frozen", () => {
    const end = { outcome: { name: "failed" as const, reason: "denied" }, rejected: null };
    const plan = { tasks: [{ id: "one" } as WorkTask], rounds: 3, jobs: 1, worktrees: null };
    const after = (roleEnd: RoleEnd): RunRecord => {
      const role = { taskId: "one", iteration: 1, spend: noSpend, usedMs: 0, end: roleEnd, isEnding: false };
      const run = ended("failed");
      const state = { ...run.state, work: { ...emptyBook, roles: { [`${id}-1`]: role } } };
      return { ...run, state, frozen: { ...run.frozen, work: { ...plan, roles: run.frozen.settings.work.roles } } };
    };
    check(after(end), `Repair the cause, then resume with: ralph resume ${id}`);
    const expected = "Change the settings, then start a new run with: ralph work --agent sim one";
    check(after({ ...end, needsNewRun: true }), expected);
  });

  it.each([
    ["ralph run -f prompt.md --agent sim", { prompt: { kind: "file" as const, path: "/project/prompt.md" } }],
    ["ralph run -f prompt.md --agent sim", { prompt: { kind: "text" as const, text: "First.\nSecond." } }],
    [`ralph run -p 'It'\\''s red' --agent sim`, { prompt: { kind: "text" as const, text: "It's red" } }],
  ])("starts a cancelled run again with %s", (command, frozen) =>
    check(ended("cancelled", frozen), `Start a new run with: ${command}`),
  );
});
