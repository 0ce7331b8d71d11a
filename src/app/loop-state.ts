import { resolve } from "node:path";
import type { RalphLoopState } from "../core/session/loop/loop-state.ts";
import type { SessionRecord } from "../core/session/session-record.ts";
import * as bySession from "../shell/sessions/loop-state-files.ts";
import { readLineage } from "../shell/processes/lineage.ts";
import { refuseOwnSession } from "./requests/own-runs.ts";
import { anyText, requireOption, required, ruleOf, text } from "./read-options.ts";

/**
 * The loop of a working directory, the active one that was started last where several sessions have one; null when there is
 * none or it cannot be read, which the console says.
 *
 * @example
 * ```ts
 * import { readState } from "ralph";
 *
 * const state = readState(process.cwd());
 * console.log(state === null ? "no loop" : `Iteration ${state.iteration}/${state.maxIterations}`);
 * ```
 */
export function readState(workdir: string, stateDir?: string): RalphLoopState | null {
  return newest(placeOf("readState", workdir, stateDir))?.loop ?? null;
}

/**
 * Stores a loop of a working directory under its session, whole or not at all; false when that fails.
 *
 * @example
 * ```ts
 * import { readState, writeState } from "ralph";
 *
 * const startedAt = new Date().toISOString();
 * const loop = { active: true, iteration: 1, maxIterations: 5, completionPromise: "DONE", startedAt };
 * writeState(process.cwd(), { ...loop, prompt: "Fix the tests.", sessionId: "session-1" }, "loops");
 * console.log(readState(process.cwd(), "loops")?.sessionId); // session-1
 * ```
 */
export function writeState(workdir: string, state: RalphLoopState, stateDir?: string): boolean {
  const place = placeOf("writeState", workdir, stateDir);
  refuseOwn([state]);
  return bySession.writeState(state, place);
}

/**
 * Removes every loop of a working directory; true also when there was none, false when one could not be removed.
 *
 * @example
 * ```ts
 * import { clearState, readState } from "ralph";
 *
 * console.log(clearState(process.cwd()), readState(process.cwd())); // true null
 * ```
 */
export function clearState(workdir: string, stateDir?: string): boolean {
  const place = placeOf("clearState", workdir, stateDir);
  const records = recordsOf(place);
  refuseOwn(records.filter(({ loop }) => loop.active).map(({ loop }) => loop));
  const cleared = records.map(({ loop }) => bySession.clearState(loop.sessionId, place));
  return cleared.every((isCleared) => isCleared);
}

/**
 * Counts one iteration more in the loop of a working directory; null without a loop or when it cannot be stored.
 *
 * @example
 * ```ts
 * import { incrementIteration, writeState } from "ralph";
 *
 * const startedAt = new Date().toISOString();
 * const loop = { active: true, iteration: 1, maxIterations: 5, completionPromise: "DONE", startedAt };
 * writeState(process.cwd(), { ...loop, prompt: "Fix the tests.", sessionId: "session-1" }, "loops");
 * console.log(incrementIteration(process.cwd(), "loops")?.iteration); // 2
 * ```
 */
export function incrementIteration(workdir: string, stateDir?: string): RalphLoopState | null {
  const place = placeOf("incrementIteration", workdir, stateDir);
  const found = newest(place);
  refuseOwn(found === null ? [] : [found.loop]);
  return found === null ? null : bySession.incrementIteration(found.loop.sessionId, place);
}

/** An agent cannot act on the loop of its own session. */
function refuseOwn(loops: readonly Pick<RalphLoopState, "sessionId">[]): void {
  if (loops.length === 0) return;
  const lineage = readLineage();
  for (const { sessionId } of loops) refuseOwnSession({ lineage }, { id: sessionId });
}

type Place = { workdir: string; stateDir?: string };

const stateDirRule = ruleOf("a text, or nothing", (value) => value === undefined || anyText.isMet(value));

function placeOf(caller: string, workdir: string, stateDir: string | undefined): Place {
  requireOption(caller, "workdir", { value: workdir, rule: required(text) });
  requireOption(caller, "stateDir", { value: stateDir, rule: stateDirRule });
  return { workdir: resolve(workdir), ...(stateDir === undefined ? {} : { stateDir }) };
}

function newest(place: Place): SessionRecord | null {
  const records = recordsOf(place);
  const isLast = (record: SessionRecord): boolean =>
    records.every(({ loop }) => loop.startedAt <= record.loop.startedAt);
  return bySession.newestOf(records, place.workdir) ?? records.find(isLast) ?? null;
}

function recordsOf(place: Place): SessionRecord[] {
  return bySession
    .openSessions(place)
    .list()
    .filter(({ directory }) => directory === place.workdir);
}
