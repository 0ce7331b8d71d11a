import { RalphError } from "../../core/ralph-error.ts";
import { isStopsRun } from "../../core/session/native-stops.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";
import { chooseRun, type RunName } from "./choose-run.ts";
import { isDriven } from "./is-driven.ts";
import { runsOf } from "./runs-of.ts";
import { livingSessions } from "./session-runs.ts";

/** What a command is about: a run, or a loop inside a host's session. */
export type Target = { run: RunRecord; session?: never } | { session: SessionRecord; run?: never };

/** Where targets are looked for. `onProblem` is told of a session that cannot be read. */
export type TargetPlace = Records & { onProblem: (text: string) => void };

/** The id people name a target by. */
export function targetId({ run, session }: Target): string {
  return run?.id ?? session?.loop.sessionId ?? "";
}

/** The run or the living session loop with this id, or the only one whose id begins with it. */
export async function namedTarget(place: TargetPlace, id: string): Promise<Target> {
  const runs = await place.store.find(id);
  const living = livingSessions(place.folder, null, place.onProblem);
  const sessions = living.filter(({ loop }) => loop.sessionId.startsWith(id));
  const exact = sessions.filter(({ loop }) => loop.sessionId === id);
  const found: Target[] = [
    ...runs.map((run) => ({ run })),
    ...(exact.length > 0 ? exact : sessions).map((session) => ({ session })),
  ];
  const whole = found.filter((target) => targetId(target) === id);
  const [only, ...others] = whole.length > 0 ? whole : found;
  if (id === "" || only === undefined)
    throw new RalphError("not-found", `There is no run "${id}".`, "`ralph status --all` lists every run.");
  if (others.length === 0) return only;
  const ids = [only, ...others].map(targetId).join(", ");
  const words = `"${id}" is the beginning of ${others.length + 1} runs: ${ids}.`;
  throw new RalphError("not-found", words, "Give more of the id.");
}

/** What is shown: what is named, else the newest run of the directory, or what lives in a session where all other runs are of sessions. */
export async function shownTarget(place: TargetPlace, name: RunName): Promise<Target> {
  if ("id" in name) return namedTarget(place, name.id);
  const { directory } = name;
  const isOtherRun = (await runsOf(place, directory)).some(({ kind }) => kind !== "session");
  const [session] = isOtherRun ? [] : livingSessions(place.folder, directory, place.onProblem);
  if (session !== undefined) return { session };
  return { run: await chooseRun(place, name, () => true, "There is no run") };
}

/** The active runs of a directory: driven runs and session loops; without any, runs whose driver died. */
export async function livingTargets(place: TargetPlace, directory: string): Promise<Target[]> {
  const runs = (await runsOf(place, directory)).filter(({ outcome }) => outcome === null);
  const driven = runs.filter((run) => isDriven(place, run));
  // A run without a loop ends with its session; it is meant only by its id.
  const sessions = livingSessions(place.folder, directory, place.onProblem).filter((session) => !isStopsRun(session));
  const living = [...driven.map((run) => ({ run })), ...sessions.map((session) => ({ session }))];
  return living.length > 0 ? living : runs.map((run) => ({ run }));
}
