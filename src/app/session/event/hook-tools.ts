import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { isStandingBack } from "../../../core/session/stops/inside-run.ts";
import { stateFolder } from "../../../shell/stores/state-folder.ts";
import { openHookLog } from "../../../shell/sessions/hook-log.ts";
import type { LoopLog } from "../../../shell/sessions/loop-log.ts";
import type { Sink } from "../../../shell/sinks/sink.ts";
import { standingSinks } from "../../../shell/sinks/standing-sinks.ts";
import type { Host } from "./host-event.ts";

/** What every hook works with. */
export type HookTools = {
  host: Host;
  env: NodeJS.ProcessEnv;
  /** The folder of the store, and that of the sessions in it. */
  stateFolder: string;
  sessionsFolder: string;
  tempFolder: string;
  log: LoopLog;
  /** Readers of each step of a session's run, once it is stored. */
  sinks: readonly Sink[];
  options: HookOptions;
  /**
   * Aborted when the process of one event is told to end, from the moment it listens: before that it starts nothing, and simply ends.
   * Absent inside a host, which has its own signals.
   */
  ending?: { listen: () => void; signal: () => AbortSignal };
};

/** How a hook was installed. */
export type HookOptions = {
  /** Whether the guard looks at every session, not only at those ralph drives. */
  isGuardAlways: boolean;
  /** Whether a run of ralph gave this hook to its agent; others stand back inside a run. */
  isForRun: boolean;
  /** When the host gives up waiting, in milliseconds from the start of this process. */
  timeoutMs: number;
};

/** When a hook must have its answer, in milliseconds from the start of this process: before its host gives up on it. */
export function answerDueMs({ options: { timeoutMs } }: Pick<HookTools, "options">): number {
  return Math.max(timeoutMs - marginMs, timeoutMs / 2);
}

/** Enough to end what a check started, also on a loaded machine. */
const marginMs = 5000;

/** The tools of this process. */
export function openTools(host: Host, options: HookOptions, env: NodeJS.ProcessEnv = process.env): HookTools {
  const folder = stateFolder(env, process.platform, homedir());
  return {
    host,
    env,
    stateFolder: folder,
    sessionsFolder: join(folder, "sessions"),
    tempFolder: tmpdir(),
    log: openHookLog(folder),
    sinks: standingSinks,
    options,
  };
}

/** Whether a hook of somebody else's session meets a run of ralph, which has hooks of its own. */
export function standsBack(tools: Pick<HookTools, "env" | "options">): boolean {
  return isStandingBack({ runId: runIdOf(tools), isForRun: tools.options.isForRun });
}

/** The run of ralph this session is a turn of, or null. */
export function runIdOf({ env }: Pick<HookTools, "env">): string | null {
  return env["RALPH_RUN_ID"] || null;
}
