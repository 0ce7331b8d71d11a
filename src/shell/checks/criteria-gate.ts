import { addSpend, noSpend, type Spend } from "../../core/agents/spend.ts";
import { assert } from "../../core/assert.ts";
import { logName } from "../../core/checks/slug.ts";
import type { Verdict } from "../../core/checks/verdict.ts";
import { truncateText } from "../../core/prompts/truncate.ts";
import type { Verification } from "../../core/tasks/completion-spec.ts";
import { externalPart } from "../../core/tasks/external-part.ts";
import type { RoleCriterion } from "../../core/tasks/role-criterion.ts";
import type { RunContext } from "../drivers/run-context.ts";
import type { Machine } from "../machine.ts";
import type { Gates } from "../ports.ts";
import { turnTextPath } from "../stores/stream-path.ts";
import { type CommandCache, createCommandCache } from "./command-cache.ts";
import { found, type FoundFacts } from "./found.ts";
import { createJudge, type Judge } from "./judge.ts";
import { verifyCriterion } from "./verify-criterion.ts";
import type { VerificationRun } from "./verification-run.ts";

/** What the gate needs beyond the run itself. */
export type GateTools = Pick<Machine, "agents" | "selfArgv" | "fingerprint">;

/** A reason within the state; the whole is in the log. */
const reasonCharsMax = 1000;
const nameCharsMax = 200;

type Order = Parameters<Gates["runChecks"]>[0];

/** The gate of a role's run: its one criterion, verified on each claim. */
export function createCriteriaGate(context: RunContext, criterion: RoleCriterion, tools: GateTools): Gates {
  const cache = createCommandCache();
  return {
    async runChecks(order) {
      assert(order.of !== "children", "a role's run has no children");
      const { criterion: own } = criterion;
      const isBaseline = order.of === "baseline";
      const verification = isBaseline ? externalPart(own.verification) : own.verification;
      if (verification === null) return { verdicts: [], isCut: false, spend: noSpend };
      const whole = truncateText(own.description === "" ? own.promise : own.description, nameCharsMax, "head");
      // A part that was green says nothing of a judge who was not asked.
      const name = isPartOf(verification, own.verification) ? `${whole} (commands only)` : whole;
      const tell = isBaseline ? () => {} : context.onCheck;
      tell({ of: "criteria", command: name, verdict: null });
      // A judge that was cut off has cost something too.
      let spend: Spend = noSpend;
      const judge = createJudge(context, tools.agents, (spent) => {
        spend = addSpend(spend, spent);
      });
      // A look before the first turn leaves neither a log nor a result to lean on.
      const shared = { context, criterion, tools, judge, cache: isBaseline ? createCommandCache() : cache };
      const facts = await verifyOrder(verification, order, shared);
      if (facts === "cut") return { verdicts: [], isCut: true, spend };
      const verdict = await verdictOf(facts, { context, name, method: own.verification.method });
      tell({ of: "criteria", command: name, verdict });
      return { verdicts: [verdict], isCut: false, spend };
    },
    repairTasks: () => Promise.reject(new Error("a role's run has no task list")),
  };
}

function isPartOf(part: Verification, whole: Verification): boolean {
  return JSON.stringify(part) !== JSON.stringify(whole);
}

type Shared = {
  context: RunContext;
  criterion: RoleCriterion;
  tools: GateTools;
  judge: Judge;
  cache: CommandCache;
};

/** A fault of our own or of the disk verifies nothing, and never ends the run (S2-32). */
async function verifyOrder(verification: Verification, order: Order, shared: Shared): Promise<FoundFacts | "cut"> {
  try {
    const run = await verificationRun(order, shared);
    const label = verification.method === "external" ? verification.command : verification.method;
    return await verifyCriterion(verification, run, { label, isAlways: false });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    await shared.context.note("warning", `Verification could not be carried out: ${problem}`);
    return found(false, `Verification could not be carried out: ${problem}`);
  }
}

async function verificationRun(order: Order, shared: Shared): Promise<VerificationRun> {
  const { context, criterion, tools, judge, cache } = shared;
  const { iteration, signal } = order;
  const taken = new Set<string>();
  const dueMs = order.wallMs === null ? Number.POSITIVE_INFINITY : context.clock.upMs() + order.wallMs;
  let processes = 0;
  // The state was stored before this effect began: it holds the iteration's own guardrails.
  const [record] = await context.store.find(context.runId);
  return {
    context,
    criterion,
    iteration,
    signal,
    turnText: (await context.disk.readText(turnTextPath(context.folder, context.runId, iteration))) ?? "",
    guardrails: record?.state.facts.guardrails ?? [],
    judge,
    cache,
    fingerprint: () => tools.fingerprint(context.frozen.projectDir),
    nodePath: tools.selfArgv[0] ?? "node",
    newMarker: () => {
      processes += 1;
      return `${context.runId}.${order.effectId}/${processes}`;
    },
    newLog: (label) => (order.of === "baseline" ? null : `.ralph/${logName(iteration, label, taken, "criterion")}`),
    withinTime: (timeoutMs) => Math.max(1, Math.min(timeoutMs, Math.round(dueMs - context.clock.upMs()))),
  };
}

async function verdictOf(
  facts: FoundFacts,
  { context, name, method }: { context: RunContext; name: string; method: NonNullable<Verdict["method"]> },
): Promise<Verdict> {
  const { isPassed, exitCode, isTimedOut, durationMs, logFile, stages, isCached, isFallback } = facts;
  return {
    index: 0,
    name,
    method,
    isPassed,
    exitCode,
    isTimedOut,
    durationMs,
    reason: truncateText(facts.reason, reasonCharsMax, "head"),
    output: await context.keepText(facts.output),
    logFile,
    ...(stages === undefined ? {} : { stages }),
    ...(isCached === true ? { isCached } : {}),
    ...(isFallback === true ? { isFallback } : {}),
  };
}
