import { join } from "node:path";
import { type HeldOutSpec, heldOutGates, heldOutKind } from "../../core/contract/held-out.ts";
import { cutAnswer, plainAnswer } from "../../core/run/gate-answer.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import {
  countHeldOut,
  heldOutFolder,
  heldOutReason,
  heldOutWaitReason,
  inHeldOutFolder,
} from "../../core/verification/sealed/held-out.ts";
import { sealedCandidate } from "../../core/verification/sealed/is-sealed-order.ts";
import type { StageVerdict, Verdict } from "../../core/verification/verdict.ts";
import { readKept } from "../held-out/frozen-files.ts";
import { asOwn } from "../lib/as-own.ts";
import { type CommandLog, runCheckCommand, shellArgv } from "../processes/run-check-command.ts";
import type { OpenSeal } from "../seal/open-seal.ts";
import type { RunSeal } from "../seal/run-seal.ts";
import { evidenceName } from "../stores/evidence-name.ts";
import type { GateContext, GateKind, GateRequest } from "./gate-kind.ts";

/** Checks that the agent never sees, each in a copy of its own that is gone afterwards. */
export const heldOut: GateKind = {
  name: heldOutKind,
  gatesOf: heldOutGates,
  open({ context }) {
    const { seal } = context;
    return seal === undefined ? null : (request) => ask({ ...context, seal }, request);
  },
};

type Context = GateContext["context"] & { seal: RunSeal };
type Check = HeldOutSpec["checks"][number];

/** One check that ran: what people see of it, and what the agent may hear. */
type Ended = { stage: StageVerdict; hint: string | null };

async function ask(context: Context, request: GateRequest): Promise<GateAnswer> {
  const { gate, slot } = request;
  context.onCheck({ gate, verdict: null });
  const asked = await runAll(context, request);
  if (asked === "cut" || request.signal.aborted) return cutAnswer();
  if ("problem" in asked) {
    const verdict = verdictOf([], asked.problem);
    context.onCheck({ gate, verdict });
    return plainAnswer([verdict]);
  }
  const { ended } = asked;
  if (ended.length === 0) return plainAnswer([notConcerned]);
  const verdict = verdictOf(ended, heldOutReason(ended.map(({ stage, hint }) => ({ isPassed: stage.isPassed, hint }))));
  context.onCheck({ gate, verdict });
  const { repeat } = context.frozen.settings.seal;
  const { count, isWaiting } = countHeldOut(slot, { isPassed: verdict.isPassed, repeat });
  const reason = heldOutWaitReason(repeat);
  return { ...plainAnswer([verdict]), slot: count, stop: isWaiting ? { name: "waiting", reason } : null };
}

/** Runs all of them, or says why none was asked: then nothing is told about them. */
async function runAll(
  context: Context,
  request: GateRequest,
): Promise<{ ended: Ended[] } | { problem: string } | "cut"> {
  const candidate = sealedCandidate(request);
  if (!request.isGreenSoFar) return { problem: "Not asked, because another check refused the claim." };
  if (candidate === null) return { problem: "What would be delivered could not be determined." };
  const dueMs = context.clock.upMs() + (request.wallMs ?? Infinity);
  const ended: Ended[] = [];
  for (const [index, check] of asOwn<HeldOutSpec>(request.gate.spec).checks.entries()) {
    const startedMs = context.clock.upMs();
    const turnMarker = `${context.runId}.${request.effectId}/${index + 1}`;
    const order = { check, candidate, turnMarker, dueMs };
    const found = await runApart(context, request, order).catch(() => ({ problem: unusable }));
    if (found === "cut") return "cut";
    if ("problem" in found) return found;
    const durationMs = Math.round(context.clock.upMs() - startedMs);
    ended.push({ stage: stageOf(check.name, { ...found, durationMs }), hint: check.hint });
  }
  return { ended };
}

/** On a merged tip whose tasks no check is about. */
const notConcerned: Verdict = {
  ...verdictOf([], "No held-out check is about these tasks."),
  isPassed: true,
  exitCode: 0,
  isUnverified: true,
};

/** What an error says may hold a part of the check. */
const unusable = "The held-out checks could not be run in a copy.";

type Apart = { check: Check; candidate: string; turnMarker: string; dueMs: number };

/** Runs one check in a copy that nothing else uses: its files must be nowhere when the next turn begins. */
async function runApart(
  context: Context,
  request: GateRequest,
  order: Apart,
): Promise<{ isPassed: boolean } | { problem: string } | "cut"> {
  const { check, candidate } = order;
  const seal = await context.seal.openApart();
  try {
    const { directory } = seal.record;
    const content = { candidate, variant: "A" as const };
    const { files } = await seal.written(content);
    const [inTheWay] = inHeldOutFolder(
      files.map(({ path }) => path),
      directory,
    );
    if (inTheWay !== undefined) return { problem: `${inTheWay} must not be there: remove ${heldOutFolder}.` };
    const kept = readKept(join(seal.content, "held-out"), check);
    const added = new Map([...kept].map(([path, bytes]) => [join(directory, heldOutFolder, path), bytes] as const));
    return await runIn(seal, context, { ...order, request, content: { ...content, added } });
  } finally {
    seal.close();
  }
}

type InCopy = Apart & { request: GateRequest; content: Parameters<OpenSeal["written"]>[0] };

async function runIn(
  seal: OpenSeal,
  context: Context,
  { check, turnMarker, dueMs, request, content }: InCopy,
): Promise<{ isPassed: boolean } | "cut"> {
  const { end, touched } = await seal.run(
    { ...content, turnMarker, workingDir: "", report: null },
    ({ cwd, env, processes }) => {
      const restMs = dueMs - context.clock.upMs();
      const wallMs = Number.isFinite(restMs) ? Math.max(1, Math.round(restMs)) : null;
      const log = privateLog(context, request, check.name);
      const run = { argv: shellArgv(check.command), cwd, env, stdin: null, turnMarker, wallMs, log, output: noOutput };
      return runCheckCommand(run, { processes, killGraceMs: context.killGraceMs, signal: request.signal });
    },
  );
  if (end.kind === "cut") return "cut";
  return { isPassed: end.kind === "ended" && end.exitCode === 0 && touched.length === 0 };
}

const noOutput = { charsMax: 1, keep: "head" as const };

/** Output kept; a suite prints a tenth of it. */
const logBytesMax = 64 * 1024 * 1024;

/** The output, in the state folder alone. */
function privateLog({ artefacts, runId }: Context, { role, iteration }: GateRequest, name: string): CommandLog {
  const artefact = {
    runId,
    kind: "check" as const,
    name: evidenceName({ role, iteration, label: `held-out ${name}` }),
  };
  const kept = artefacts.append(artefact, logBytesMax, "number");
  return {
    write: (chunk) => kept.write(chunk),
    close: async () => ((await kept.close()).problem === null ? "" : null),
  };
}

function stageOf(name: string, { isPassed, durationMs }: { isPassed: boolean; durationMs: number }): StageVerdict {
  const reason = isPassed ? "passed" : "failed";
  const facts = { isPassed, isRequired: true, reason, exitCode: isPassed ? 0 : 1, durationMs };
  return { name, method: "external", ...facts, logFile: null, evidence: null };
}

/** The name is told to the agent with the reason: it names no check. */
function verdictOf(ended: readonly Ended[], reason: string): Verdict {
  const stages = ended.map(({ stage }) => stage);
  const isPassed = stages.length > 0 && stages.every((stage) => stage.isPassed);
  const durationMs = stages.reduce((sum, stage) => sum + stage.durationMs, 0);
  const facts = { isPassed, exitCode: isPassed ? 0 : 1, isTimedOut: false, durationMs, reason, output: { text: "" } };
  const method = "multi_stage" as const;
  return { index: 0, name: "held-out checks", ...facts, logFile: null, evidence: null, method, stages };
}
