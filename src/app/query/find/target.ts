import { RalphError } from "../../../core/ralph-error.ts";
import { isStopsRun } from "../../../core/session/stops/native-stops.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { sessionRunName } from "../../../core/session/session-run.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import type { Records } from "../../../shell/wire-store.ts";
import { drivenOf, type Looker } from "./is-driven.ts";
import { runsOf } from "./runs-of.ts";
import { livingSessions } from "./session-runs.ts";

/** How a run is named: by its id or a part of it, else by the directory it works in. */
export type RunName = { id: string } | { directory: string };

/** What a command is about: a run, or a loop inside a host's session. */
export type Target = { run: RunRecord; session?: never } | { session: SessionRecord; run?: never };

/** A target, and other runs of the same session that its name could mean, newest first. */
export type NamedTarget = Target & { others: string[] };

/** Where targets are looked for. `onProblem` is told of a session that cannot be read. */
export type TargetContext = Pick<Records, "store" | "folder"> & Looker & { onProblem: (text: string) => void };

/** The id people name a target by. */
export function targetId({ run, session }: Target): string {
  return run?.id ?? session?.loop.sessionId ?? "";
}

/** The run or the living session run with this id, else the only one whose id begins with it, or has it anywhere. */
export async function namedTarget(context: TargetContext, id: string): Promise<NamedTarget> {
  if (id === "") throw unknownRun(id);
  const runs = await runsNamed(context, id);
  const living = livingSessions(context.folder, null, context.onProblem);
  const sessions = living.filter(({ loop }) => loop.sessionId.includes(id));
  return meantTarget(id, [...sessions.map((session) => ({ session })), ...runs.map((run) => ({ run }))]);
}

/** A session id with characters that no path may have is part of a run's id in another spelling. */
async function runsNamed({ store }: TargetContext, id: string): Promise<RunRecord[]> {
  const found = await store.find(id);
  const name = sessionRunName(id);
  const respelled = name === id ? [] : await store.find(name);
  return [...found, ...respelled.filter(({ kind }) => kind === "session")];
}

/** How many ids a message names: the newest, which are what people look for. */
const namedMax = 5;

/**
 * Which of several targets is meant by an id or a part of it: the one with that very id, else one that begins with it; of
 * one session's runs, the living one, else the newest. Throws when the id could mean several other ones.
 */
export function meantTarget(id: string, found: readonly Target[]): NamedTarget {
  const exact = found.filter((target) => targetId(target) === id || groupOf(target) === sessionRunName(id));
  const begun = found.filter(
    (target) => targetId(target).startsWith(id) || groupOf(target)?.startsWith(sessionRunName(id)),
  );
  const candidates = [exact, begun, found].find((each) => each.length > 0) ?? [];
  const whole = candidates.find(({ run }) => run?.id === id);
  const [first, ...others] = whole === undefined ? candidates.toSorted(byAge) : [whole];
  if (first === undefined) throw unknownRun(id);
  const group = groupOf(first);
  if (others.length === 0 || (group !== null && others.every((other) => groupOf(other) === group)))
    return { ...first, others: others.map(targetId) };
  const ids = [first, ...others].map(targetId);
  const more = ids.length > namedMax ? ` and ${ids.length - namedMax} more` : "";
  const words = `"${id}" is part of the ids of ${ids.length} runs: ${ids.slice(0, namedMax).join(", ")}${more}.`;
  throw new RalphError("not-found", words, "Give more of the id.");
}

/**
 * The same for a command that changes the run: its id must begin or end with the part. Digits of a time in the middle of an id are
 * easily those of another project's run, or of a task.
 */
export async function targetToChange(context: TargetContext, id: string): Promise<NamedTarget> {
  const target = await namedTarget(context, id);
  const whole = targetId(target);
  const names = [whole, groupOf(target) ?? whole];
  if (names.some((name) => name.startsWith(id) || name.endsWith(id) || name.startsWith(sessionRunName(id))))
    return target;
  throw new RalphError(
    "not-found",
    `"${id}" is only a part in the middle of ${whole}.`,
    `Give its beginning or its end, such as ${whole.slice(-4)}.`,
  );
}

function unknownRun(id: string): RalphError {
  return new RalphError("not-found", `There is no run "${id}".`, "`ralph status --all` lists every run.");
}

/** What all runs of one session have in common; null: a run of no session. */
function groupOf({ run, session }: Target): string | null {
  if (session !== undefined) return sessionRunName(session.loop.sessionId);
  return run.kind === "session" ? run.id.replace(/-\d+$/, "") : null;
}

/** Living sessions first, then the newest. */
function byAge(one: Target, other: Target): number {
  return beginOf(other) - beginOf(one);
}

function beginOf({ run, session }: Target): number {
  return session === undefined ? run.createdAt : Infinity;
}

/** What is shown: what is named, else the newest run of the directory; what lives in a session, where only sessions ran. */
export async function shownTarget(context: TargetContext, name: RunName): Promise<NamedTarget> {
  if ("id" in name) return namedTarget(context, name.id);
  const { directory } = name;
  const runs = await runsOf(context, directory);
  const isOtherRun = runs.some(({ kind }) => kind !== "session");
  const [session] = isOtherRun ? [] : livingSessions(context.folder, directory, context.onProblem);
  if (session !== undefined) return { session, others: [] };
  const [run] = runs;
  if (run === undefined) throw noneIn(directory, "There is no run");
  return { run, others: [] };
}

/** The error where a directory has no run that is meant. */
export function noneIn(directory: string, nothing: string): RalphError {
  return new RalphError("not-found", `${nothing} in ${directory}.`, "`ralph status --all` lists every run.");
}

/** The active runs of a directory: driven runs and session loops; without any, runs whose driver died. */
export async function livingTargets(context: TargetContext, directory: string): Promise<Target[]> {
  const runs = (await runsOf(context, directory)).filter(({ outcome }) => outcome === null);
  const driven = await drivenOf(context, runs);
  // A run without a loop ends with its session; it is meant only by its id.
  const sessions = livingSessions(context.folder, directory, context.onProblem).filter(
    (session) => !isStopsRun(session),
  );
  const living = [...driven.map((run) => ({ run })), ...sessions.map((session) => ({ session }))];
  return living.length > 0 ? living : runs.map((run) => ({ run }));
}
