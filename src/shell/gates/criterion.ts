import { addSpend, noSpend, type Spend } from "../../core/agents/spend.ts";
import { logName } from "../../core/text/slug.ts";
import { sealedCandidate } from "../../core/verification/sealed/is-sealed-order.ts";
import { inlineCharsMax, type Verdict } from "../../core/verification/verdict.ts";
import { criterionGates, criterionKind, type CriterionSpec } from "../../core/contract/criterion.ts";
import { verdictsOf } from "../../core/policies/gates.ts";
import { truncateText } from "../../core/text/truncate.ts";
import { openCheckLog } from "../verification/check-log.ts";
import { type CommandCache, createCommandCache, createIterationCaches } from "../verification/command-cache.ts";
import { type Found, found, type FoundFacts } from "../verification/found.ts";
import { createJudge, type Judge } from "../verification/judge.ts";
import { createSealedJudge } from "../verification/judge-in-copy.ts";
import { requireJudge } from "../verification/judge-look.ts";
import { needsJudge } from "../verification/needs-judge.ts";
import { verifyCriterion } from "../verification/verify-criterion.ts";
import type { VerificationRun } from "../verification/verification-run.ts";
import { verifierInCopy } from "../verification/verify-in-copy.ts";
import { asOwn } from "../lib/as-own.ts";
import { cutAnswer, plainAnswer } from "../../core/run/gate-answer.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { GateKind, GateRequest, GateContext } from "./gate-kind.ts";

/** A reason within the state; the whole is in the log. */
const reasonCharsMax = 1000;

/** A criterion, verified on each claim by the method it was given. */
export const criterion: GateKind = {
  name: criterionKind,
  gatesOf: criterionGates,
  async prepare(gates, place) {
    if (gates.some(({ spec }) => needsJudge(asOwn<CriterionSpec>(spec).verification))) await requireJudge(place);
  },
  open({ context, tools, own }) {
    const cacheOf = createIterationCaches();
    return async (order) => {
      const { gate } = order;
      const isLook = gate.when === "before-first-turn";
      const tell = isLook ? () => {} : context.onCheck;
      tell({ gate, verdict: null });
      // A judge that was cut off has cost something too.
      let spend: Spend = noSpend;
      const judge = judgeOf({ context, tools, own }, order, (spent) => {
        spend = addSpend(spend, spent);
      });
      // A look before the first turn leaves neither a log nor a result to lean on.
      const cache = isLook ? createCommandCache() : cacheOf({ iteration: order.iteration, gateId: gate.id });
      const shared = { context, tools, judge, cache };
      const spec = asOwn<CriterionSpec>(gate.spec);
      const facts = await verifyOrder(spec, order, shared);
      if (facts === "cut") return cutAnswer(spend);
      if ("stop" in facts) {
        const { name, reason } = facts.stop;
        const stop = { name, reason: `${reason} Resume with: ralph resume ${context.runId}` };
        return { ...plainAnswer([], spend), stop };
      }
      const { method } = spec.criterion.criterion.verification;
      const verdict = await verdictOf(facts, { context, name: gate.name, method });
      // What a judge says is the reason already.
      const isPrinted = !verdict.isPassed && method !== "semantic" && facts.output !== "";
      tell({ gate, verdict, ...(isPrinted ? { output: facts.output.slice(0, inlineCharsMax) } : {}) });
      return plainAnswer([verdict], spend);
    };
  },
};

type Shared = {
  context: GateContext["context"];
  tools: GateContext["tools"];
  judge: Judge;
  cache: CommandCache;
};

/** A fault of our own or of the disk verifies nothing, and never ends the run (S2-32). */
async function verifyOrder(spec: CriterionSpec, request: GateRequest, shared: Shared): Promise<Found> {
  const { verification } = spec;
  try {
    const run = await verificationRun(spec, request, shared);
    const label = verification.method === "external" ? verification.command : verification.method;
    return await verifyCriterion(verification, run, { label, isAlways: false });
  } catch (error) {
    const problem = thrownText(error);
    await shared.context.note("warning", `Verification could not be carried out: ${problem}`);
    return found(false, `Verification could not be carried out: ${problem}`);
  }
}

async function verificationRun(spec: CriterionSpec, request: GateRequest, shared: Shared): Promise<VerificationRun> {
  const { context, tools, judge, cache } = shared;
  const { iteration, role, signal } = request;
  const taken = new Set<string>();
  const dueMs = request.wallMs === null ? Number.POSITIVE_INFINITY : context.clock.upMs() + request.wallMs;
  let processes = 0;
  const turnText = { runId: context.runId, kind: "turn-text" as const, name: String(iteration) };
  // The state was stored before this effect began: it holds the iteration's own guardrails.
  const [record] = await context.store.find(context.runId);
  return {
    context,
    criterion: spec.criterion,
    isClaimEnough: spec.isClaimEnough,
    iteration,
    inCopy: verifierOf(context, request),
    signal,
    turnText: (await context.artefacts.read(turnText)) ?? "",
    guardrails: record === undefined ? [] : commandsOf(record.state),
    judge,
    cache,
    fingerprint: () => tools.fingerprint(context.frozen.projectDir),
    nodePath: tools.selfArgv[0] ?? "node",
    newMarker: () => {
      processes += 1;
      return `${context.runId}.${request.effectId}/${processes}`;
    },
    openLog(label) {
      if (request.gate.when === "before-first-turn") return null;
      const logFile = `.ralph/${logName(iteration, label, taken, "criterion")}`;
      return openCheckLog(context, { role, iteration, label, logFile });
    },
    withinTime: (timeoutMs) => Math.max(1, Math.min(timeoutMs, Math.round(dueMs - context.clock.upMs()))),
  };
}

/** On a claim of a sealed run the judge looks where the agent never was. */
function judgeOf({ context, tools }: GateContext, request: GateRequest, onSpend: (spent: Spend) => void): Judge {
  const { seal } = context;
  const candidate = sealedCandidate(request);
  if (seal === undefined || candidate === null) return createJudge(context, tools.agents, onSpend);
  return createSealedJudge(context, tools.agents, { seal, candidate, onSpend });
}

function verifierOf({ seal }: Shared["context"], request: GateRequest): VerificationRun["inCopy"] {
  const candidate = sealedCandidate(request);
  return seal === undefined || candidate === null ? null : verifierInCopy({ seal, candidate });
}

/** The iteration's own verdicts that are told by their output: what a judge sees of the checks before it. */
function commandsOf(state: Parameters<typeof verdictsOf>[0]): Verdict[] {
  return verdictsOf(state).flatMap(({ gate, verdict }) => (gate.tells === "output" ? [verdict] : []));
}

async function verdictOf(
  facts: FoundFacts,
  { context, name, method }: { context: GateContext["context"]; name: string; method: NonNullable<Verdict["method"]> },
): Promise<Verdict> {
  const { isPassed, exitCode, isTimedOut, durationMs, logFile, evidence } = facts;
  const { stages, isCached, isFallback, isUnverified, isSealed, tests } = facts;
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
    evidence,
    ...(stages === undefined ? {} : { stages }),
    ...(isCached === true ? { isCached } : {}),
    ...(isFallback === true ? { isFallback } : {}),
    ...(isUnverified === true || isFallback === true ? { isUnverified: true } : {}),
    ...(isSealed === true ? { isSealed } : {}),
    ...(tests === undefined ? {} : { tests }),
  };
}
