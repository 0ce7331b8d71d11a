import { describe, expect, it } from "vitest";
import { noSpend } from "../../../core/agents/spend.ts";
import type { RunSummary } from "../../../app/query/summary/run-summary.ts";
import type { Standing, StandingRun } from "../../../app/query/summary/standing.ts";
import { displayWidth } from "../terminal/display-width.ts";
import { renderStatus, type StatusStyle } from "./render-status.ts";

const now = new Date(2026, 10, 15, 14, 0).getTime();
const iso = (ms: number): string => new Date(ms).toISOString();
const id = "20261115-204355-k7q2";

function summary(change: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    project: "/project",
    kind: "run",
    state: "running",
    outcome: null,
    reason: null,
    iteration: 3,
    maxIterations: 20,
    startedAt: iso(now - 300_000),
    endedAt: null,
    spend: { ...noSpend, usd: 1.2 },
    topic: "Make the tests pass",
    agent: "claude",
    model: null,
    activity: "agent at work",
    lastChecks: null,
    waitingFor: null,
    waitingUntil: null,
    next: { words: "Follow it with", command: `ralph logs -f ${id}` },
    ...change,
  };
}

function check(runs: RunSummary[], expected: string[], style: Partial<StatusStyle> = {}): void {
  const shown = runs.map((each) => ({ summary: each, children: [] })) as unknown as StandingRun[];
  const standing: Standing = { runs: shown, sessions: [], unusable: [] };
  const lines = renderStatus(standing, { now, width: 80, hasProjects: false, hasCommands: true, ...style }).split("\n");
  expect(lines.slice(1, -1)).toEqual(expected);
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(80);
}

describe("the table of runs", () => {
  it("has a row for each with state, iteration, cost, age and agent, and the words of its prompt", () =>
    check(
      [summary({ lastChecks: "checks red: npm test" })],
      [`${id}  agent at work  3/20       $1.20  5m   claude`, "  Make the tests pass", "  checks red: npm test"],
    ));

  it("names no cost of a session, which its host alone knows", () =>
    check(
      [summary({ kind: "session", agent: "claude-code", spend: noSpend })],
      [`${id}  agent at work  3/20       -     5m   claude-code`, "  Make the tests pass"],
    ));

  it("shows the last part of a long name, so that every column fits, and the whole name to programs", () => {
    const long = summary({ id: "0da4b1aa-09fe-4b7c-b5b9-cb0bb096ed55-20261118015402767", kind: "session" });
    const row = "agent at work  3/20       -     5m   claude";
    check([long], [`20261118015402767  ${row}`, "  Make the tests pass"]);
    const standing = { runs: [], sessions: [long], unusable: [] };
    const style = { now, width: null, hasProjects: false, hasCommands: true };
    expect(renderStatus(standing, style)).toContain(`\n${long.id}  ${row}\n`);
  });

  it("says in words and local time what a run waits for", () =>
    check(
      [
        summary({
          activity: "waiting (usage-limit)",
          waitingFor: "the end of the agent's usage limit",
          waitingUntil: iso(now + 1_800_000),
        }),
      ],
      [
        `${id}  waiting  3/20       $1.20  5m   claude`,
        "  Make the tests pass",
        "  waits for the end of the agent's usage limit, until 14:30 (in 30m0s)",
        `  Follow it with: ralph logs -f ${id}`,
      ],
    ));

  it("has why an unfinished run ended and the command that continues it, of a final one only its name", () => {
    const ended = { state: "ended", activity: null, reason: "No accepted claim within 20 iterations." } as const;
    const next = { words: "Give it more iterations with", command: `ralph resume ${id} -m 5` };
    check(
      [summary({ ...ended, outcome: "exhausted", next }), summary({ ...ended, outcome: "completed", next: null })],
      [
        `${id}  exhausted  3/20       $1.20  5m   claude`,
        "  Make the tests pass",
        "  No accepted claim within 20 iterations.",
        `  Give it more iterations with: ralph resume ${id} -m 5`,
        `${id}  completed  3/20       $1.20  5m   claude`,
        "  Make the tests pass",
      ],
    );
  });

  it("fits into 80 columns with the longest words, and cuts no command", () => {
    const long = "x".repeat(200);
    const next = { words: "Answer with", command: `ralph resume ${id} --answer "TEXT"` };
    check(
      [
        summary({
          state: "ended",
          outcome: "completed",
          isVerified: false,
          iteration: 100,
          maxIterations: 1000,
          spend: { ...noSpend, usd: 1234.5, isPartial: true },
          agent: "opencode",
          model: long,
          topic: long,
        }),
        summary({ state: "ended", outcome: "waiting", waitingFor: "an answer", reason: long, next }),
      ],
      [
        `${id}  completed, unverified  100/1000   >$1234.50  5m   opencod…`,
        `  ${"x".repeat(77)}…`,
        `${id}  waiting                3/20       $1.20      5m   claude`.slice(0, 80),
        "  Make the tests pass",
        "  waits for an answer",
        `  ${"x".repeat(77)}…`,
        `  Answer with: ralph resume ${id} --answer "TEXT"`,
      ],
    );
  });

  it("has the role runs of a work run below it, within the width, and one command for all", () => {
    const next = { words: "Resume with", command: `ralph resume ${id}` };
    const over = { state: "ended", outcome: "interrupted", reason: "y".repeat(200), next } as const;
    const child = { summary: summary({ ...over, kind: "work", task: "a-1", role: "coder" }), children: [] };
    const runs = [{ summary: summary({ ...over, kind: "work" }), children: [child] }] as unknown as StandingRun[];
    const style = { now, width: 80, hasProjects: false, hasCommands: true };
    const lines = renderStatus({ runs, sessions: [], unusable: [] }, style).split("\n");
    expect(lines).toContain("    coder of a-1: Make the tests pass");
    expect(lines.filter((line) => line.includes("ralph resume"))).toHaveLength(1);
    expect(Math.max(...lines.map(displayWidth))).toBe(80);
  });
});
