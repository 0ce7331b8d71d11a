import { sealedGates, sealedKind } from "../../core/contract/sealed.ts";
import { cutAnswer, plainAnswer } from "../../core/run/gate-answer.ts";
import { sealedCandidate, unsealedCommands } from "../../core/verification/sealed/is-sealed-order.ts";
import { type SealedStep, sealedSteps } from "../../core/verification/sealed/sealed-steps.ts";
import type { Verdict } from "../../core/verification/verdict.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import type { GateKind, GateRequest } from "./gate-kind.ts";
import { type SealedScene, stepPerformers } from "./sealed-steps.ts";

/** What one run of the checks in the sealed copy cannot show: see the steps. */
export const sealed: GateKind = {
  name: sealedKind,
  gatesOf: sealedGates,
  open({ context }) {
    const { seal } = context;
    return seal === undefined ? null : (request) => verify({ ...context, seal }, request);
  },
};

type Context = SealedScene["context"];

async function verify(context: Context, request: GateRequest): Promise<GateAnswer> {
  const { gate } = request;
  context.onCheck({ gate, verdict: null });
  const verdicts = await verdictsOf(context, request).catch((error: unknown) => {
    const said = error instanceof Error ? error.message : String(error);
    const problem = `The sealed copy could not be used: ${said}`;
    return [verdictOf(gate.name, { problem, durationMs: 0, candidate: null })];
  });
  if (verdicts === "cut" || request.signal.aborted) return cutAnswer();
  for (const verdict of verdicts) context.onCheck({ gate, verdict });
  return plainAnswer(verdicts);
}

/** One verdict for each step, up to the first that refuses the claim. */
async function verdictsOf(context: Context, request: GateRequest): Promise<Verdict[] | "cut"> {
  const { candidate, gate } = request;
  const scene = await openScene(context, request);
  if (scene === null) return [verdictOf(gate.name, unknown)];
  if ([...scene.results.values()].some(({ verdict }) => !verdict.isPassed))
    return [verdictOf(gate.name, { problem: "A check is red in the sealed copy.", durationMs: 0, candidate })];
  const guardrails = context.frozen.settings.guardrails.map(({ command }) => command);
  const missed = unsealedCommands(guardrails, new Set(scene.results.keys()));
  if (missed.length > 0) {
    const problem = `Not run in the sealed copy: ${missed.join(", ")}.`;
    return [verdictOf(gate.name, { problem, durationMs: 0, candidate })];
  }
  const verdicts: Verdict[] = [];
  for (const step of stepsOf(scene)) {
    const startedMs = context.clock.upMs();
    const ended = await stepPerformers[step](scene);
    if (ended === "cut") return "cut";
    const { problem } = ended;
    const durationMs = Math.round(context.clock.upMs() - startedMs);
    verdicts.push(verdictOf(`sealed: ${stepNames[step]}`, { problem, durationMs, candidate }));
    if (problem !== null) break;
  }
  return verdicts;
}

const unknown = {
  problem: "What would be delivered could not be determined.",
  durationMs: 0,
  candidate: null,
};

const stepNames: Record<SealedStep, string> = {
  tools: "the programs of before the first turn",
  locks: "the packages of before the first turn",
  forbid: "no added line switches a check off",
  repeats: "tests that turned green stay green",
  "own-tests": "the changed tests pass, too",
  probe: "false expectations are noticed",
};

async function openScene(context: Context, request: GateRequest): Promise<SealedScene | null> {
  const candidate = sealedCandidate(request);
  if (candidate === null) return null;
  const seal = await context.seal.open();
  const results = context.seal.results(candidate);
  const written = await seal.written({ candidate, variant: "A" });
  const dueMs = context.clock.upMs() + (request.wallMs ?? Infinity);
  return { context, request, candidate, seal, results, written, dueMs, markers: { count: 0 } };
}

function stepsOf({ context, results, written }: SealedScene): SealedStep[] {
  const ended = [...results.values()];
  const steps = sealedSteps(context.frozen.settings.seal, {
    areTestsChanged: written.changedTests.length > 0,
    turnedCount: ended.reduce((sum, { verdict }) => sum + (verdict.comparison?.turned.length ?? 0), 0),
    longestMs: Math.max(0, ...ended.map(({ end }) => (end.kind === "ended" ? end.durationMs : 0))),
  });
  const { step } = context.seal;
  return step === null ? steps : steps.filter((each) => each === step);
}

type Facts = { problem: string | null; durationMs: number; candidate: GateRequest["candidate"] };

function verdictOf(name: string, { problem, durationMs, candidate }: Facts): Verdict {
  const isPassed = problem === null;
  const reason = problem ?? "passed";
  const facts = { isPassed, exitCode: isPassed ? 0 : 1, isTimedOut: false, durationMs, reason, output: { text: "" } };
  return {
    index: 0,
    name,
    ...facts,
    logFile: null,
    evidence: null,
    ...(candidate === null ? {} : { candidate }),
  };
}
