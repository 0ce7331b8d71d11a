import { describe, expect, it } from "vitest";
import { sampleRun } from "../../../../tests/contract/store-samples.ts";
import { type RestartLimits, supervisePolicy } from "../../../core/settings/run/supervise-policy.ts";
import { type Settings, settingsSchema } from "../../../core/settings/settings.ts";
import { shellWords } from "../../../core/text/shell-words.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { startAgain } from "./start-words.ts";

type Frozen = RunRecord["frozen"];

const settings = settingsSchema.parse({ agent: { command: "./a.sh" } });
const limits: RestartLimits = { restartsMax: 100, restartDelayMs: 1000, turnIdleMs: null, turnWallMs: null };
const task = { taskDir: "/project/t1", projectId: "project", taskId: "t1", pollMs: 1000, flags: null, isFresh: false };
const supervised = { ...task, onChildTimeout: "terminate" as const };
const none = { kind: "text" as const, text: "" };
const plan = { tasks: [], rounds: 1, jobs: 1, worktrees: null, roles: [...settings.work.roles] };

function check(change: Partial<Frozen>, expected: string): void {
  const { frozen } = sampleRun("20261115-204355-k7q2");
  expect(shellWords(startAgain({ ...frozen, settings, ...change }))).toBe(expected);
}

function policyOf(change: Partial<RestartLimits>): Frozen["policy"] {
  return supervisePolicy(settings, { ...limits, ...change });
}

describe("the command that starts the same work again", () => {
  it("gives a run its prompt, agent, limits and claim, which only the command line said (S1-05)", () => {
    const given: Settings = {
      ...settings,
      maximumIterations: 4,
      completionResponse: "FIN",
      budget: { spend: 2, tokens: null, time: 3_600_000 },
      agent: { ...settings.agent, flags: ["--model", "opus"], guard: false },
    };
    const prompt = { kind: "file" as const, path: "/project/p.md" };
    const words = "--no-guard -m 4 -c FIN --max-cost 2 --max-time 1h --agent-flags=--model,opus";
    check({ settings: given, prompt }, `ralph run -f p.md --agent ./a.sh ${words}`);
  });

  it("repeats nothing that the settings files say, and drops their flags for another agent", () => {
    const agent = { command: "./a.sh", flags: ["-x"] };
    const given = settingsSchema.parse({ agent, maximumIterations: 7, budget: { time: "2h" } });
    const settingsFiles = { "settings.json": { agent, maximumIterations: 7, budget: { time: "2h" } } };
    check({ settings: given, settingsFiles }, "ralph run -p 'Fix the test ✔'");
    const shorter = { ...given, budget: { ...given.budget, time: 60_000 } };
    check({ settings: shorter, settingsFiles }, "ralph run -p 'Fix the test ✔' --max-time 1m");
    const other = { "settings.json": { agent: { command: "claude", flags: ["-x"] } } };
    check({ settingsFiles: other }, "ralph run -p 'Fix the test ✔' --agent ./a.sh");
  });

  it("names the command of a supervised task after its limits, and no empty prompt (S3-01)", () => {
    const named = { ...supervised, flags: ["--all"] };
    check(
      { supervised: named, prompt: none, policy: policyOf({ restartsMax: 5 }) },
      "ralph supervise --task-dir /project/t1 --max-restarts 5 -- ./a.sh --all",
    );
    const own = { kind: "file" as const, path: "/project/t1/TASK.md" };
    check(
      { supervised: { ...supervised, taskId: "x", isFresh: true }, prompt: own, policy: policyOf({}) },
      "ralph supervise --task-dir /project/t1 --task x --fresh --agent ./a.sh",
    );
    check(
      { supervised, policy: policyOf({ restartDelayMs: 0, turnWallMs: 90_000, turnIdleMs: 60_000 }) },
      "ralph supervise --task-dir /project/t1 -p 'Fix the test ✔' --restart-delay 0 --agent-timeout 90s --idle-timeout 1m --agent ./a.sh",
    );
  });

  it("keeps roles, jobs and agent of a work run", () => {
    const words = "--roles coder --worktrees -j 2 --agent ./a.sh";
    const work = { ...plan, roles: ["coder" as const], jobs: 2, worktrees: { branch: "main", prefix: "" } };
    check({ work }, `ralph work ${words}`);
    check({ work: plan }, "ralph work --agent ./a.sh");
  });
});
