import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { criterionName } from "../core/tasks/criteria/criterion-name.ts";
import { sumVerdicts } from "../core/verification/sum-verdicts.ts";
import { RalphError } from "../core/ralph-error.ts";
import { splitFlags } from "../core/text/split-flags.ts";
import type { VerificationMethod } from "../core/tasks/criteria/completion-spec.ts";
import type { RoleCriterion } from "../core/tasks/criteria/role-criterion.ts";
import { type Role, roles } from "../core/tasks/criteria/role.ts";
import { formatDuration } from "../core/text/duration.ts";
import { logName } from "../core/text/slug.ts";
import { inlineCharsMax, type StageVerdict } from "../core/verification/verdict.ts";
import { chooseAdapter } from "../shell/agents/registry.ts";
import { headCommit } from "../shell/git/trees/tree-fingerprint.ts";
import { makePassingFolder } from "../shell/lib/passing-folder.ts";
import { realClock } from "../shell/lib/real-clock.ts";
import { loadSettings } from "../shell/settings/load-settings.ts";
import { createCommandCache } from "../shell/verification/command-cache.ts";
import type { CheckLog } from "../shell/verification/check-log.ts";
import { type Found, found } from "../shell/verification/found.ts";
import { requireJudge } from "../shell/verification/judge-look.ts";
import { needsJudge } from "../shell/verification/needs-judge.ts";
import { type AloneContext, verifyAlone } from "../shell/verification/verify-alone.ts";
import { wireProgram } from "../shell/wire.ts";
import { quietListener } from "./functions/quiet-listener.ts";
import { type CriteriaSource, readCriteria } from "./read-criteria.ts";
import {
  abortSignal,
  aFunction,
  anObject,
  anyText,
  directory,
  milliseconds,
  oneOf,
  type OptionRules,
  readOptions,
  refuseOptions,
  text,
} from "./read-options.ts";

/**
 * What is verified, and where. Give `criteria` or `task`; without both the project's `ralph/criteria.yaml` counts.
 *
 * @example
 * ```ts
 * import { verifyCriteria, type VerifyCriteriaOptions } from "ralph";
 *
 * const options: VerifyCriteriaOptions = {
 *   criteria: { promise: "DONE" },
 *   turnText: "It works.\n<promise>DONE</promise>",
 *   timeoutMs: 60_000,
 * };
 * // The criterion is met, but by the agent's word alone.
 * console.log((await verifyCriteria(options)).isVerified); // false
 * ```
 */
export type VerifyCriteriaOptions = CriteriaSource & {
  /** The work tree; the current directory. */
  projectDir?: string;
  /** What the agent said in the turn that claims: `string_match` and `semantic` look at it. */
  turnText?: string;
  /** A judge sees the changes since this commit; HEAD. */
  startCommit?: string;
  /** Settings over those of the project, such as `{ verification: { judge: { agent: "claude" } } }`. */
  settings?: Readonly<Record<string, unknown>>;
  /** Keeps the whole output of every check in this directory, which is made. */
  logDir?: string;
  /** Time for all criteria together, in milliseconds; without it each method keeps its own limit. */
  timeoutMs?: number;
  /** Ends the verification with every process it started; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called for problems without a verdict, such as a judge that is asked again. What it throws or rejects with is ignored. */
  onNote?: (text: string) => void;
};

/**
 * The verdict on one criterion, with its evidence.
 *
 * @example
 * ```ts
 * import { type CriterionVerdict, verifyCriteria } from "ralph";
 *
 * const line = ({ name, isPassed, reason }: CriterionVerdict): string => `${isPassed ? "green" : "red"}: ${name}: ${reason}`;
 * console.log((await verifyCriteria({ criteria: { promise: "DONE" } })).verdicts.map(line));
 * ```
 */
export type CriterionVerdict = {
  role: Role;
  promise: string;
  /** The criterion's description, or its promise where it has none. */
  name: string;
  method: VerificationMethod;
  isPassed: boolean;
  /** It passed by the agent's word alone: nothing was looked at. */
  isUnverified: boolean;
  /** The judge gave no answer, so nothing is known of the work. */
  isUnasked: boolean;
  /** One sentence: why it passed or not. */
  reason: string;
  exitCode: number;
  isTimedOut: boolean;
  durationMs: number;
  /** The end of what the check printed. */
  output: string;
  /** All of it, with `logDir`. */
  logFile: string | null;
  /** What each stage of `multi_stage` found. */
  stages: StageVerdict[];
};

/**
 * What was found.
 *
 * @example
 * ```ts
 * import { type CriteriaResult, verifyCriteria } from "ralph";
 *
 * const result: CriteriaResult = await verifyCriteria({ criteria: { promise: "DONE" } });
 * process.exitCode = result.isVerified ? 0 : 1;
 * ```
 */
export type CriteriaResult = {
  /** Every criterion passed. */
  isPassed: boolean;
  /** They passed, and at least one of them looked at more than the agent's word. */
  isVerified: boolean;
  verdicts: CriterionVerdict[];
};

const rules: OptionRules<VerifyCriteriaOptions> = {
  criteria: anObject,
  task: anObject,
  role: oneOf(roles),
  projectDir: directory,
  turnText: anyText,
  startCommit: text,
  settings: anObject,
  logDir: text,
  timeoutMs: milliseconds(1),
  signal: abortSignal,
  onNote: aFunction,
};

/**
 * Verifies criteria of a task in a project directory by the methods they name (`string_match`, `external`, `semantic`,
 * `multi_stage`, `custom`), with the same code that verifies a claim in a run. It starts no run and stores nothing.
 *
 * @example
 * ```ts
 * import { verifyCriteria } from "ralph";
 *
 * const { isPassed, verdicts } = await verifyCriteria({
 *   projectDir: ".",
 *   criteria: {
 *     promise: "FILES_CREATED",
 *     description: "The page exists",
 *     verification_method: "external",
 *     verification_config: { command: "test -f index.html" },
 *   },
 * });
 * console.log(isPassed, verdicts[0]?.reason); // false Command exited with 1, expected 0
 * ```
 */
export async function verifyCriteria(options: VerifyCriteriaOptions = {}): Promise<CriteriaResult> {
  const given = readOptions("verifyCriteria", options, rules);
  if (given.criteria !== undefined && given.task !== undefined)
    throw refuseOptions("verifyCriteria", "options criteria and task are both given, expected one of them");
  given.signal?.throwIfAborted();
  const projectDir = resolve(given.projectDir ?? ".");
  const program = wireProgram();
  const layer = given.settings === undefined ? null : { source: "option settings", value: given.settings };
  const { settings } = await loadSettings({ ...program, projectDir }, layer);
  const criteria = await readCriteria(given, { ...program, projectDir, settings });
  const context: AloneContext = {
    runId: `verify-${randomUUID().slice(0, 8)}`,
    projectDir,
    startCommit: given.startCommit ?? (await headCommit(program, projectDir)),
    settings,
    program,
    agent: agentOf(settings),
    killGraceMs: Number(program.env["RALPH_KILL_GRACE_MS"] ?? killGraceMsDefault),
    folder: makePassingFolder("answers"),
    nodePath: "bun" in process.versions ? "node" : process.execPath,
    note: (_, note) => Promise.resolve(quietListener(given.onNote)(note)),
  };
  try {
    if (criteria.some(({ criterion }) => needsJudge(criterion.verification))) await findJudge(context);
    const verdicts = await verifyAll(criteria, context, given);
    return { ...sumVerdicts(verdicts), verdicts };
  } finally {
    rmSync(context.folder, { recursive: true, force: true });
  }
}

/** SIGTERM to SIGKILL. */
const killGraceMsDefault = 5000;

function agentOf({ agent }: AloneContext["settings"]): AloneContext["agent"] {
  return agent.command === null ? null : { command: agent.command, flags: splitFlags(agent.flags).argv };
}

/** Throws when the judge that a criterion needs could not be asked, as far as that can be seen without a call. */
async function findJudge({ program, agent, settings, projectDir, killGraceMs }: AloneContext): Promise<void> {
  const { judge } = settings.verification;
  if (agent === null && judge.agent === null && judge.mode !== "words")
    throw new RalphError("settings", "verifyCriteria: a semantic criterion needs a judge, and none is set.", judgeHint);
  const { command, flags } = agent ?? { command: "", flags: [] };
  const adapter = chooseAdapter(command, program.agents);
  const frozen = { settings, projectDir };
  await requireJudge({ ...program, command, flags, adapter, frozen, killGraceMs, looked: new Set() });
}

const judgeHint = 'Give settings: { verification: { judge: { agent: "NAME" } } }, or judge: { mode: "words" }.';

/** One after the other, so that the checks of one never meet those of another. */
async function verifyAll(
  criteria: readonly RoleCriterion[],
  context: AloneContext,
  { signal, timeoutMs, turnText = "", logDir }: VerifyCriteriaOptions,
): Promise<CriterionVerdict[]> {
  const ends = [
    ...(signal === undefined ? [] : [signal]),
    ...(timeoutMs === undefined ? [] : [AbortSignal.timeout(timeoutMs)]),
  ];
  const order = {
    isClaimEnough: false,
    turnText,
    signal: AbortSignal.any(ends),
    openLog: logsIn(logDir === undefined ? null : resolve(logDir), context),
    cache: createCommandCache(),
    dueMs: realClock.upMs() + (timeoutMs ?? Number.POSITIVE_INFINITY),
  };
  const verdicts: CriterionVerdict[] = [];
  for (const [index, own] of criteria.entries()) {
    const facts = await verifyAlone(own, context, { ...order, index });
    signal?.throwIfAborted();
    verdicts.push(verdictOf(own, facts, timeoutMs ?? 0));
  }
  return verdicts;
}

/** Full output of a check kept on disk, as in a run; beyond it head and tail. */
const logBytesMax = 256 * 1024 * 1024;

function logsIn(folder: string | null, { program }: AloneContext): (label: string) => CheckLog | null {
  const taken = new Set<string>();
  return (label) => {
    if (folder === null) return null;
    const logFile = join(folder, logName(1, label, taken, "criterion"));
    const log = program.disk.openLog(logFile, logBytesMax, "private");
    return {
      logFile,
      write: (chunk) => log.write(chunk),
      close: async () => ((await log.close()).problem === null ? logFile : null),
    };
  };
}

function verdictOf({ role, criterion }: RoleCriterion, result: Found, timeoutMs: number): CriterionVerdict {
  const isUnasked = result !== "cut" && "stop" in result;
  const facts = factsOf(result, timeoutMs);
  const { isPassed, reason, exitCode, isTimedOut, durationMs, evidence, stages = [] } = facts;
  return {
    role,
    promise: criterion.promise,
    name: criterionName(criterion),
    method: criterion.verification.method,
    isPassed,
    isUnverified: isPassed && (facts.isUnverified === true || facts.isFallback === true),
    isUnasked,
    reason,
    exitCode,
    isTimedOut,
    durationMs,
    output: facts.output.trimEnd().slice(-inlineCharsMax),
    logFile: evidence,
    stages,
  };
}

function factsOf(result: Found, timeoutMs: number): Exclude<Found, "cut" | { stop: unknown }> {
  if (result === "cut")
    return found(false, `Verification did not finish within ${formatDuration(timeoutMs)}`, { isTimedOut: true });
  return "stop" in result ? found(false, result.stop.reason) : result;
}
