import { criterionName } from "../../core/tasks/criteria/criterion-name.ts";
import { inlineCharsMax, type Verdict } from "../../core/verification/verdict.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Criterion, Verification } from "../../core/tasks/criteria/completion-spec.ts";
import type { RoleCriterion } from "../../core/tasks/criteria/role-criterion.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { type AdapterList, chooseAdapter } from "../agents/registry.ts";
import { treeFingerprint } from "../git/trees/tree-fingerprint.ts";
import { realClock } from "../lib/real-clock.ts";
import type { Disk, Processes } from "../ports.ts";
import { processesOf } from "../processes/redacting-processes.ts";
import type { CommandCache } from "./command-cache.ts";
import { type Found, found, type FoundFacts } from "./found.ts";
import { createJudge } from "./judge.ts";
import { needsJudge } from "./needs-judge.ts";
import type { VerificationContext, VerificationRun } from "./verification-run.ts";
import { createFileArtefacts } from "../stores/file-artefacts.ts";
import { verifyCriterion } from "./verify-criterion.ts";

/** A project whose criteria are verified with no run around them: by the hook of a host, or by a program. */
export type AloneContext = {
  /** The turn marker above those of all its processes. */
  runId: string;
  projectDir: string;
  startCommit: string | null;
  settings: Settings;
  program: { disk: Disk; env: Readonly<Record<string, string>>; agents: AdapterList; processes: Processes };
  /** Judges where the settings name no judge; null: then nobody does. */
  agent: { command: string; flags: readonly string[] } | null;
  killGraceMs: number;
  /** Holds the answer file of a judge that needs one. */
  folder: string;
  /** Starts Node. */
  nodePath: string;
  note: VerificationContext["note"];
};

/** One verification of one criterion. */
export type AloneOptions = Pick<VerificationRun, "isClaimEnough" | "turnText" | "signal" | "openLog"> & {
  /** Position among the criteria that are verified together. */
  index: number;
  /** Shared by those criteria. */
  cache: CommandCache;
  /** When the time for all of them is over, on the monotonic clock. */
  dueMs: number;
};

/** Verifies one criterion by its own method. A fault of ours, or of the settings, verifies nothing. Must not reject. */
export async function verifyAlone(own: RoleCriterion, context: AloneContext, options: AloneOptions): Promise<Found> {
  try {
    const { verification, promise } = own.criterion;
    if (needsJudge(verification) && context.agent === null && !hasJudge(context.settings)) return found(false, noJudge);
    // What was claimed need not be the criterion's promise: each is looked for in the agent's words.
    const criterion = { ...own, criterion: { ...own.criterion, promise: "" } };
    return await verifyCriterion(withPromise(verification, promise), runOf(criterion, context, options), {
      label: promise,
      isAlways: false,
    });
  } catch (error) {
    const problem = thrownText(error);
    return found(false, `Verification could not be carried out: ${problem}`);
  }
}

/** The verdict of a criterion that was verified alone. */
export function aloneVerdict(index: number, criterion: Criterion, facts: FoundFacts): Verdict {
  const { isPassed, exitCode, isTimedOut, durationMs, reason, output, stages, isFallback, isUnverified } = facts;
  return {
    index,
    name: criterionName(criterion),
    method: criterion.verification.method,
    isPassed,
    exitCode,
    isTimedOut,
    durationMs,
    reason,
    output: { text: output.trimEnd().slice(-inlineCharsMax) },
    logFile: null,
    ...(stages === undefined ? {} : { stages }),
    ...(isFallback === true ? { isFallback } : {}),
    // The judge gave no answer: the agent's word is all there is.
    ...(isUnverified === true || isFallback === true ? { isUnverified: true } : {}),
  };
}

const noJudge =
  "a semantic criterion needs a judge: set verification.judge.agent (or verification.judge.mode: words) in .ralph/settings.json";

function hasJudge({ verification }: Settings): boolean {
  return verification.judge.agent !== null || verification.judge.mode === "words";
}

function withPromise(verification: Verification, own: string): Verification {
  if (verification.method === "string_match") return { ...verification, promise: verification.promise ?? own };
  if (verification.method !== "multi_stage") return verification;
  const stages = verification.stages.map((stage) => ({ ...stage, verification: withPromise(stage.verification, own) }));
  return { ...verification, stages };
}

function runOf(criterion: RoleCriterion, place: AloneContext, options: AloneOptions): VerificationRun {
  const { runId, projectDir, startCommit, settings, killGraceMs, note, folder, nodePath } = place;
  const { disk, env, agents } = place.program;
  const { isClaimEnough, turnText, signal, openLog, cache, index, dueMs } = options;
  const context: VerificationContext = {
    runId,
    frozen: { projectDir, settings, startCommit },
    clock: realClock,
    processes: processesOf(place.program, settings),
    disk,
    env,
    killGraceMs,
    note,
  };
  const { command, flags } = place.agent ?? { command: "", flags: [] };
  const adapter = chooseAdapter(command, agents);
  const artefacts = createFileArtefacts({ folder, disk });
  const asking = {
    command,
    flags,
    adapter,
    adapters: agents.known,
    agentEnv: {},
    artefacts,
    onStderr: () => undefined,
  };
  let started = 0;
  return {
    context,
    criterion,
    isClaimEnough,
    inCopy: null,
    iteration: 1,
    signal,
    turnText,
    guardrails: [],
    judge: createJudge({ ...context, ...asking }, agents, () => undefined),
    cache,
    fingerprint: () => treeFingerprint(context, { turnMarker: `${runId}/look-${process.pid}`, signal }),
    nodePath,
    newMarker: () => {
      started += 1;
      return `${runId}/${process.pid}-${index}-${started}`;
    },
    openLog,
    withinTime: (timeoutMs) => Math.max(1, Math.min(timeoutMs, Math.round(dueMs - realClock.upMs()))),
  };
}
