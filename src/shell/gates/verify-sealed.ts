import { cutAnswer, plainAnswer } from "../../core/run/gate-answer.ts";
import { sealedCandidate, unsealedCommands } from "../../core/verification/sealed/is-sealed-order.ts";
import {
  type Dispute,
  disputeQuestion,
  judgeDispute,
  type KnownDispute,
  sealSlot,
  type SealSlot,
} from "../../core/verification/sealed/judge-dispute.ts";
import { type SealedStep, sealedSteps } from "../../core/verification/sealed/sealed-steps.ts";
import { singleProbeMs } from "../../core/verification/sealed/single-probe.ts";
import { progressOf, type StepCosts } from "../../core/verification/sealed/step-progress.ts";
import { stepTitle } from "../../core/verification/sealed/step-titles.ts";
import type { Verdict } from "../../core/verification/verdict.ts";
import { truncateText } from "../../core/text/truncate.ts";
import type { GateStop } from "../../core/run/outcome.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { GateRequest } from "./gate-kind.ts";
import type { SealedScene } from "./sealed-scene.ts";
import { stepPerformers, turnedOf } from "./sealed-steps.ts";

type Context = SealedScene["context"];

/** Verifies what the checks of an iteration have shown in the sealed copy, step by step. Must not reject. */
export async function verifySealed(context: Context, request: GateRequest): Promise<GateAnswer> {
  const { gate } = request;
  context.onCheck({ gate, verdict: null });
  const found = await verdictsOf(context, request).catch((error: unknown): Found => {
    const said = thrownText(error);
    const problem = `The sealed copy could not be used: ${said}`;
    return { verdicts: [verdictOf(gate.name, { problem, durationMs: 0, candidate: null })] };
  });
  if (found === "cut" || request.signal.aborted) return cutAnswer();
  const { verdicts, dispute } = found;
  for (const verdict of verdicts) context.onCheck({ gate, verdict });
  const slot = sealSlot(request.slot);
  if (dispute === undefined || slot === null) return plainAnswer(verdicts);
  return { ...plainAnswer(verdicts), ...answerDispute(slot, dispute, context.runId) };
}

/** The dispute is remembered; the same one for the second time is for a person. */
function answerDispute(
  { hash, dispute: former }: SealSlot,
  { difference, candidate, ...dispute }: Disputed,
  runId: string,
): Pick<GateAnswer, "slot" | "stop"> {
  const { times, isForPerson } = judgeDispute(former, dispute);
  const stop: GateStop | null = isForPerson ? { name: "waiting", reason: disputeQuestion(dispute, runId) } : null;
  return { slot: { hash, dispute: { ...dispute, candidate, times, difference } }, stop };
}

type Disputed = Omit<KnownDispute, "times">;
type Found = { verdicts: Verdict[]; dispute?: Disputed };

/** One verdict for each step, up to the first that refuses the claim. */
async function verdictsOf(context: Context, request: GateRequest): Promise<Found | "cut"> {
  const { candidate, gate } = request;
  const scene = await openScene(context, request);
  const refused = (problem: string): Found => ({
    verdicts: [verdictOf(gate.name, { problem, durationMs: 0, candidate })],
  });
  if (scene === null) return { verdicts: [verdictOf(gate.name, unknown)] };
  const all = context.seal.results(scene.candidate);
  if ([...all.values()].some(({ verdict }) => !verdict.isPassed && verdict.disputable.length === 0))
    return refused("A check is red in the sealed copy.");
  const missed = unsealedCommands(await guardrailsOf(context), new Set(all.keys()));
  if (missed.length > 0) return refused(`Not run in the sealed copy: ${missed.join(", ")}.`);
  const verdicts: Verdict[] = [];
  const steps = stepsOf(scene);
  for (const [at, step] of steps.entries()) {
    const progress = progressOf(steps, at, costsOf(scene));
    if (progress !== null) context.onCheck({ gate, verdict: null, step: progress });
    const startedMs = context.clock.upMs();
    const ended = await stepPerformers[step](scene);
    if (ended === "cut") return "cut";
    const { problem, dispute } = ended;
    const durationMs = Math.round(context.clock.upMs() - startedMs);
    verdicts.push(verdictOf(stepTitle(step), { problem, durationMs, candidate }));
    if (dispute !== undefined) return { verdicts, dispute: await disputed(scene, dispute) };
    if (problem !== null) return { verdicts };
  }
  for (const [command, result] of scene.results) all.set(command, { ...result, isProven: true });
  return { verdicts };
}

/** What the steps cost, by how long the checks of this claim took. */
function costsOf({ context, results, seal }: SealedScene): StepCosts {
  const costs = [...results].map(([command, { end }]) => {
    const suiteMs = end.kind === "ended" ? end.durationMs : 0;
    const spots = seal.record.checks.find((check) => check.command === command)?.spots ?? [];
    return { suiteMs, singleMs: Math.min(singleProbeMs, spots.length * suiteMs) };
  });
  const sum = (key: "suiteMs" | "singleMs"): number => costs.reduce((total, each) => total + each[key], 0);
  return { wanted: context.frozen.settings.seal, suiteMs: sum("suiteMs"), singleMs: sum("singleMs") };
}

/** The guardrails of the run, but for those that people removed between turns. */
async function guardrailsOf({ store, runId, frozen }: Context): Promise<string[]> {
  const [record] = await store.find(runId).catch(() => []);
  const asked = new Set(record?.state.policy.gates.map(({ name }) => name));
  const own = frozen.settings.guardrails.map(({ command }) => command);
  return record === undefined ? own : own.filter((command) => asked.has(command));
}

async function disputed({ seal, candidate, context }: SealedScene, dispute: Dispute): Promise<Disputed> {
  const difference = await seal.difference(candidate, dispute.files);
  return {
    ...dispute,
    candidate,
    difference: await context.keepText(truncateText(difference, differenceCharsMax, "head")),
  };
}

/** What a person can look through; the rest is in the work tree. */
const differenceCharsMax = 200_000;

const unknown = {
  problem: "What would be delivered could not be determined.",
  durationMs: 0,
  candidate: null,
};

async function openScene(context: Context, request: GateRequest): Promise<SealedScene | null> {
  const candidate = sealedCandidate(request);
  if (candidate === null) return null;
  const seal = await context.seal.open();
  const all = [...context.seal.results(candidate)];
  const results = new Map(all.filter(([, { isProven }]) => isProven !== true));
  const written = await seal.written({ candidate, variant: "A" });
  const dueMs = context.clock.upMs() + (request.wallMs ?? Infinity);
  return { context, request, candidate, seal, results, written, dueMs, markers: { count: 0 } };
}

function stepsOf(scene: SealedScene): SealedStep[] {
  const { context, results, written } = scene;
  const ended = [...results.values()];
  const turned = [...results.keys()].map((command) => turnedOf(scene, command));
  const steps = sealedSteps(context.frozen.settings.seal, {
    isDisputable: ended.some(({ verdict }) => !verdict.isPassed && verdict.disputable.length > 0),
    isProven: ended.length === 0 && context.seal.results(scene.candidate).size > 0,
    areTestsChanged: written.changedTests.length > 0,
    turnedCount: turned.reduce((sum, count) => sum + count, 0),
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
