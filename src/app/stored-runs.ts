import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { RunView } from "../core/journal/run-view.ts";
import { createViewBuilder } from "../core/journal/view-builder.ts";
import { RalphError } from "../core/ralph-error.ts";
import type { RunRecord, Store } from "../shell/ports.ts";
import { readLineage } from "../shell/processes/lineage.ts";
import { wire } from "../shell/wire.ts";
import { type Records, wireStore } from "../shell/wire-store.ts";
import { cancelRun as cancelStored } from "./cancel/cancel-run.ts";
import { cancelSession } from "./cancel/cancel-session.ts";
import { importSessions } from "./cleanup/import-sessions.ts";
import { chooseRun } from "./query/find/choose-run.ts";
import { isDriven } from "./query/find/is-driven.ts";
import { namedTarget, type TargetContext, targetToChange } from "./query/find/target.ts";
import { readView } from "./query/read-view.ts";
import { readSessionLog } from "./query/session-journal.ts";
import { type RunSummary, summarise } from "./query/summary/run-summary.ts";
import { type Standing, standingOf, standingOfOne } from "./query/summary/standing.ts";
import { directory, type OptionRules, readOptions, required, text } from "./read-options.ts";
import { askAndWait } from "./requests/ask-and-wait.ts";
import type { Listener } from "./requests/listener.ts";
import { pauseRun as pauseStored } from "./requests/pause-run.ts";
import { refuseOwnRun } from "./requests/own-runs.ts";
import { aStore } from "./wire-machine.ts";

/**
 * Where runs are looked for: those of this user unless told.
 *
 * @example
 * ```ts
 * import { listRuns, type StoredRunsOptions } from "ralph";
 *
 * const place: StoredRunsOptions = { stateFolder: "state" };
 * console.log((await listRuns(place)).runs.length);
 * ```
 */
export type StoredRunsOptions = {
  /** Holds the store and the living sessions; that of this user unless told. */
  stateFolder?: string;
  /** Another store than the one in the state folder. It is not closed. */
  store?: Store;
};

/**
 * Names one run, of this program or of any other.
 *
 * @example
 * ```ts
 * import { type NamedRunOptions, showRun } from "ralph";
 *
 * const named: NamedRunOptions = { runId: "20261116-120000-abcd" };
 * showRun(named).catch((error: Error) => console.log(error.message));
 * ```
 */
export type NamedRunOptions = StoredRunsOptions & {
  /** The id of a run or of a living session, or a part of it that means only one. */
  runId: string;
};

/**
 * A run as `ralph status --json` lists it; a work run with the newest role run of each task.
 *
 * @example
 * ```ts
 * import { type ListedRun, listRuns } from "ralph";
 *
 * const line = ({ id, state, outcome }: ListedRun): string => `${id} ${outcome ?? state}`;
 * for (const run of (await listRuns()).runs) console.log(line(run));
 * ```
 */
export type ListedRun = RunSummary & { children?: RunSummary[] };

/**
 * What `listRuns` finds. `problems` says in one sentence each what could not be read.
 *
 * @example
 * ```ts
 * import { listRuns, type RunList } from "ralph";
 *
 * const { runs, problems }: RunList = await listRuns();
 * console.log(runs.length, problems.length);
 * ```
 */
export type RunList = { runs: ListedRun[]; problems: string[] };

/**
 * One run with the fold of its journal. `run` is its record, for `formatRun`; null: a living session, which no store has.
 *
 * @example
 * ```ts
 * import { formatRun, type FoundRun } from "ralph";
 *
 * const print = ({ run, view }: FoundRun): string => (run === null ? "in a session" : formatRun({ run, view }));
 * console.log(typeof print);
 * ```
 */
export type FoundRun = { summary: ListedRun; view: RunView; run: RunRecord | null };

/**
 * Lists runs of every program and the living sessions, as `ralph status` does: living ones first. With `projectDir` those of
 * one project, of which the latest ended ones.
 *
 * @example
 * ```ts
 * import { listRuns, runLoop } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * await loop.outcome;
 * const { runs } = await listRuns({ projectDir: process.cwd() });
 * console.log(runs.find(({ id }) => id === loop.id)?.outcome); // completed
 * ```
 */
export async function listRuns(options: StoredRunsOptions & { projectDir?: string } = {}): Promise<RunList> {
  const given = readOptions("listRuns", options, { ...placeRules, projectDir: directory });
  const { projectDir } = given;
  return withRecords(given, async (place, problems) => {
    const standing = await standingOf(place, projectDir === undefined ? null : realpathSync(resolve(projectDir)));
    const unusable = standing.unusable.map(({ problem }) => problem);
    return { runs: listed(standing), problems: [...problems, ...unusable] };
  });
}

/**
 * Reads one run, also one that lives in another process or in a session of a host.
 *
 * @example
 * ```ts
 * import { runLoop, showRun } from "ralph";
 *
 * const loop = runLoop({ prompt: "Say that it is done.", agent: () => "<promise>DONE</promise>", checks: ["true"] });
 * await loop.outcome;
 * const { summary, view } = await showRun({ runId: loop.id });
 * console.log(summary.outcome, view.iterations.length); // completed 1
 * ```
 */
export async function showRun(options: NamedRunOptions): Promise<FoundRun> {
  const given = readOptions("showRun", options, namedRules);
  return withRecords(given, async (place) => {
    const target = await namedTarget(place, given.runId);
    const [summary] = listed(await standingOfOne(place, target));
    if (summary === undefined) throw new RalphError("not-found", `There is no run "${given.runId}".`);
    if (target.run !== undefined) return { summary, view: await readView(place, target.run), run: target.run };
    const builder = createViewBuilder();
    for (const entry of (await readSessionLog(place, target.session, 0)).entries) builder.add(entry);
    return { summary, view: builder.view(), run: null };
  });
}

/**
 * Ends a run that another process drives and waits for its end; ends one whose process died, and the loop of a living session.
 * A process that does not answer is killed. Rejects with code `own-run` in the process that drives the run, whose handle has
 * `cancel`, and inside a turn of it.
 *
 * @example
 * ```ts
 * import { cancelRun } from "ralph";
 *
 * const cancelled = cancelRun({ runId: "20261116-120000-abcd" });
 * cancelled.then(({ outcome }) => console.log(outcome)).catch((error: Error) => console.log(error.message));
 * ```
 */
export async function cancelRun(options: NamedRunOptions): Promise<RunSummary> {
  const given = readOptions("cancelRun", options, namedRules);
  const { runId, store } = given;
  const machine = await wire(placeOf(given));
  try {
    await importSessions(machine);
    const target = await targetToChange({ ...machine, onProblem: () => {} }, runId);
    if (target.session !== undefined) return await cancelSession(machine, target.session);
    const { run } = await cancelStored(machine, target.run, { say: () => {}, listener: silent });
    return summarise(run, await isDriven(machine, run));
  } finally {
    if (store === undefined) await machine.store.close();
  }
}

/**
 * Asks a run of another process to pause and waits until it has heard that: its operation finishes, nothing new starts.
 *
 * @example
 * ```ts
 * import { pauseRun } from "ralph";
 *
 * const paused = pauseRun({ runId: "20261116-120000-abcd" });
 * paused.then(({ activity }) => console.log(activity)).catch((error: Error) => console.log(error.message));
 * ```
 */
export async function pauseRun(options: NamedRunOptions): Promise<RunSummary> {
  const given = readOptions("pauseRun", options, namedRules);
  return withRecords(given, async (place) => {
    const run = await pauseStored(place, { id: given.runId });
    return summarise(run, await isDriven(place, run));
  });
}

/**
 * Asks a paused run of another process to continue and waits until it has heard that. A run that has ended, or that waits for an
 * answer, needs a process to drive it: `resumeRun` takes it, with the answer.
 *
 * @example
 * ```ts
 * import { continueRun } from "ralph";
 *
 * continueRun({ runId: "20261116-120000-abcd" }).catch((error: Error) => console.log(error.message));
 * ```
 */
export async function continueRun(options: NamedRunOptions): Promise<RunSummary> {
  const given = readOptions("continueRun", options, namedRules);
  return withRecords(given, async (place) => {
    const run = await chooseRun(place, { id: given.runId }, () => true, { nothing: "There is no run", inSession });
    await refuseOwnRun({ ...place, lineage: readLineage() }, run);
    if (!(await isDriven(place, run)))
      throw new RalphError(
        "not-resumable",
        `No process drives run ${run.id}.`,
        `Resume it with resumeRun, or with: ralph resume ${run.id}`,
      );
    await askAndWait(place, run.id, "go-on", (now) => !now.state.isPauseAsked);
    const [now = run] = await place.store.find(run.id);
    return summarise(now, true);
  });
}

const placeRules: OptionRules<StoredRunsOptions> = { stateFolder: text, store: aStore };

const namedRules: OptionRules<NamedRunOptions> = { ...placeRules, runId: required(text) };

function placeOf({ stateFolder, store }: StoredRunsOptions): Partial<Pick<Records, "folder" | "store">> {
  return {
    ...(stateFolder === undefined ? {} : { folder: resolve(stateFolder) }),
    ...(store === undefined ? {} : { store }),
  };
}

/** What looks at runs and asks them, with the sessions that ended since; its own store is closed afterwards. */
async function withRecords<Found>(
  options: StoredRunsOptions,
  use: (place: Records & TargetContext, problems: string[]) => Promise<Found>,
): Promise<Found> {
  const records = await wireStore(placeOf(options));
  try {
    const problems = await importSessions(records);
    return await use({ ...records, onProblem: (problem) => void problems.push(problem) }, problems);
  } finally {
    if (options.store === undefined) await records.store.close();
  }
}

function listed({ runs, sessions }: Standing): ListedRun[] {
  const stored = runs.map(({ run, summary, children }) =>
    run.frozen.work === undefined ? summary : { ...summary, children: children.map((child) => child.summary) },
  );
  return [...sessions, ...stored];
}

function inSession(id: string): RalphError {
  return new RalphError("not-resumable", `The run of session ${id} cannot be continued: its host drives it.`);
}

/** Nobody watches a dead run that is ended here. */
const quiet = {
  sink: { entry: () => {}, agentEvent: () => {} },
  onRequest: () => () => {},
  onCheck: () => {},
  onStderr: () => undefined,
  onTaken: () => {},
};

const silent: Listener = {
  run: (_, drive) => drive(quiet),
  work: (_, drive) => drive({ ...quiet, onNote: () => {}, onTaskEnd: () => {}, forRole: () => quiet }),
};
