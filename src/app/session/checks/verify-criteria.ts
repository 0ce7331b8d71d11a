import { inlineCharsMax, type Verdict } from "../../../core/verification/verdict.ts";
import { unsealedNote } from "../../../core/contract/sealed.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { RoleCriterion } from "../../../core/tasks/criteria/role-criterion.ts";
import { type CommandCache, createCommandCache } from "../../../shell/verification/command-cache.ts";
import { type FoundFacts, found } from "../../../shell/verification/found.ts";
import { runCheckCommand, shellArgv } from "../../../shell/processes/run-check-command.ts";
import { type AloneContext, aloneVerdict, verifyAlone } from "../../../shell/verification/verify-alone.ts";
import { loadFrozenSettings } from "../../../shell/settings/load-frozen-settings.ts";
import type { LookContext } from "../../../shell/git/trees/look.ts";
import { realClock } from "../../../shell/lib/real-clock.ts";
import { lookAt } from "../../../shell/git/trees/tree-fingerprint.ts";
import { checksMarker, type CheckedSession, endLeftChecks } from "../../../shell/sessions/left-checks.ts";
import type { LoopLog } from "../../../shell/sessions/loop-log.ts";
import { processesOf } from "../../../shell/processes/redacting-processes.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { SettingsTexts } from "../../../shell/sessions/frozen-checks.ts";
import { onUnchangedTree } from "./unchanged-tree.ts";

/** One verification of all criteria of a session. */
export type CriteriaOptions = {
  projectDir: string;
  sessionId: string;
  startCommit: string | null;
  /** As they were when the session met them: the agent can edit the files. */
  settings: Settings;
  /** What the agent said in the turn that ends. */
  turnText: string;
  limitMs: number;
  /** Each ends it early, with every process it started. */
  signals: readonly AbortSignal[];
  stateFolder: string;
  log: LoopLog;
};

/**
 * Runs every guardrail, then every criterion, one after the other, within the time the host leaves; all of them once more
 * when files changed meanwhile. What an earlier pass left running ends first: its answer no longer counts. Must not reject.
 */
export async function verifyCriteria(criteria: readonly RoleCriterion[], options: CriteriaOptions): Promise<Verdict[]> {
  const over = new AbortController();
  const end = (): void => over.abort();
  if (options.signals.some(({ aborted }) => aborted)) end();
  for (const signal of options.signals) signal.addEventListener("abort", end, { once: true });
  const timer = setTimeout(end, Math.min(options.limitMs, timerMsMax));
  // The signal ends what is at work; this only keeps a judge's next try from beginning too late.
  const dueMs = realClock.upMs() + options.limitMs + signalLeadMs;
  await endChecks(options);
  const verdicts = await onUnchangedTree({ ...lookPlaceOf(options), signal: over.signal }, () =>
    runAll(criteria, { order: options, dueMs, signal: over.signal }),
  );
  clearTimeout(timer);
  for (const signal of options.signals) signal.removeEventListener("abort", end);
  return verdicts;
}

/** Ends the checks that a killed hook left running. */
export async function endChecks(session: CheckedSession): Promise<void> {
  const { env, processes } = wireProgram();
  await endLeftChecks(processes, session, killGraceOf(env));
}

async function runAll(criteria: readonly RoleCriterion[], all: Omit<One, "cache" | "index">): Promise<Verdict[]> {
  // For this pass alone: at the next one the world outside the tree may be another.
  const one = { ...all, cache: createCommandCache() };
  const verdicts: Verdict[] = [];
  for (const [index, { command }] of all.order.settings.guardrails.entries())
    verdicts.push(await runGuardrail(command, { ...one, index }));
  for (const [index, own] of criteria.entries()) {
    const facts = await verifyOne(own, { ...one, index });
    verdicts.push(aloneVerdict(index, own.criterion, facts));
  }
  return verdicts;
}

const timerMsMax = 24 * 3_600_000;

/** A command at work meets the signal, never its own limit at the same moment. */
const signalLeadMs = 500;

type One = {
  order: CriteriaOptions;
  index: number;
  cache: CommandCache;
  /** When the time that the host leaves is over, on the monotonic clock. */
  dueMs: number;
  signal: AbortSignal;
};

async function verifyOne(own: RoleCriterion, { order, index, cache, dueMs, signal }: One): Promise<FoundFacts> {
  const openLog = (): null => null;
  const facts = await verifyAlone(own, alonePlace(order), {
    // The claim of a loop, or the stop itself, stands for the criteria's promises.
    isClaimEnough: true,
    turnText: order.turnText,
    signal,
    openLog,
    index,
    cache,
    dueMs,
  });
  if (facts === "cut") return found(false, "verification did not finish");
  // No run waits here: the stop is blocked, and the next one asks again.
  return "stop" in facts ? found(false, facts.stop.reason) : facts;
}

/** The settings that were frozen, or those of the project now. Throws when they do not hold. */
export async function settingsOf(projectDir: string, frozen: SettingsTexts | null): Promise<Settings> {
  const { disk, env } = wireProgram();
  return (await loadFrozenSettings({ disk, env, projectDir }, frozen)).settings;
}

/** Said when a loop begins whose settings ask for sealed checks; null: they do not. */
export function unsealedLoop(settings: Settings, projectCriteria: readonly RoleCriterion[]): string | null {
  const none = { settingsFiles: {}, verifyCommandsFrom: null, role: null, hasBaseline: false };
  return unsealedNote({ surface: "session", settings, projectCriteria, ...none });
}

function lookPlaceOf(options: CriteriaOptions): LookContext {
  const { disk, env, processes } = wireProgram();
  return lookAt({ disk, env, processes, killGraceMs: killGraceOf(env) }, options.projectDir, checksMarker(options));
}

/** A guardrail of the settings, as in every run: green when it exits with 0. */
async function runGuardrail(command: string, { order, index, signal }: One): Promise<Verdict> {
  const { env, agents, processes } = wireProgram();
  const { settings, projectDir } = order;
  const turnMarker = `${checksMarker(order)}/${process.pid}-guardrail-${index}`;
  const end = await runCheckCommand(
    {
      argv: shellArgv(command),
      cwd: projectDir,
      env: { ...env, RALPH_TURN: turnMarker },
      stdin: null,
      turnMarker,
      wallMs: settings.guardrailTimeout,
      log: null,
      output: { charsMax: settings.outputTruncateChars, keep: settings.outputTruncate },
    },
    { processes: processesOf({ processes, env, agents }, settings), killGraceMs: killGraceOf(env), signal },
  );
  const about = { index, name: command, logFile: null };
  if (end.kind !== "ended") {
    const reason = end.kind === "cut" ? "verification did not finish" : end.message;
    return { ...about, isPassed: false, exitCode: 127, isTimedOut: false, durationMs: 0, reason, output: { text: "" } };
  }
  const { exitCode, isTimedOut, durationMs } = end;
  const isPassed = exitCode === 0;
  const reason = isPassed ? "passed" : `"${command}" exited with code ${exitCode}`;
  const output = { text: end.output.trimEnd().slice(-inlineCharsMax) };
  return { ...about, isPassed, exitCode, isTimedOut, durationMs, reason, output };
}

function killGraceOf(env: Readonly<Record<string, string>>): number {
  return Math.min(Number(env["RALPH_KILL_GRACE_MS"] ?? graceMsMax), graceMsMax);
}

function alonePlace(options: CriteriaOptions): AloneContext {
  const { projectDir, startCommit, settings, stateFolder, log } = options;
  const program = wireProgram();
  return {
    runId: checksMarker(options),
    projectDir,
    startCommit,
    settings,
    program,
    // The agent of the settings is not the one in this host.
    agent: null,
    killGraceMs: killGraceOf(program.env),
    folder: stateFolder,
    // Inside a host with an engine of its own, this process is that host.
    nodePath: "bun" in process.versions ? "node" : (program.selfArgv[0] ?? "node"),
    note: (level, text) => Promise.resolve(log({ level, text: `[criteria] ${text}`, fields: {} })),
  };
}

/** Whatever a check started must be gone before the host gives up on the hook, five seconds after the limit. */
const graceMsMax = 2000;

export { parseCriteria as readCriteria } from "../../../shell/gates/project-criteria.ts";
