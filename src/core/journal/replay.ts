import { decide } from "../engine/decide.ts";
import type { Observation } from "../run/observation.ts";
import type { Outcome } from "../run/outcome.ts";
import { newRun, type RunStart, type RunState, runStateVersion } from "../run/state.ts";
import type { FrozenRun } from "../settings/run/frozen-run.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { isObject } from "../text/is-object.ts";
import { decideWork } from "../work/decide-work.ts";
import { newWork, type WorkState } from "../work/work-state.ts";
import type { JournalEntry } from "./journal-entry.ts";

/** The run whose journal is replayed, as it was stored before its first step. */
export type ReplayedRun = { parentId: string | null; frozen: Pick<FrozenRun, "policy" | "prd" | "work"> };

/** How far a journal was replayed. */
export type Replay = {
  /** What the steps so far lead to, by the engine that takes them. Null: they do not tell it. */
  position: Position | null;
  /** A work run is taken up here by its first step, whatever a version without its engine wrote before. */
  first: Position;
  /** What the run began with beside its policy, which only its first step tells: when its time began, or its task list. */
  untold: "time" | "list" | null;
  replayed: number;
  /** Steps of an earlier version: the rules of then are not those of now. */
  unreplayed: number;
  /** The first step that does not follow from those before it. */
  broken: { seq: number; problem: string } | null;
  /** An earlier version wrote some steps, by rules whose words and orders may differ. */
  hasFormer: boolean;
  /** How the last step that ended the run says that it ended; null: it was resumed since, or never ended. */
  ended: Outcome | null;
};

type Position = { engine: "run"; state: RunState } | { engine: "work"; state: WorkState };

type StepEntry = Exclude<JournalEntry, { kind: "note" }>;

/** Steps of earlier versions asked several checks under one effect: `decide` gives other orders there. */
const replayableSince = 3;

/** Before the first entry. */
export function beginReplay({ parentId, frozen }: ReplayedRun): Replay {
  const first: Position =
    frozen.work === undefined
      ? { engine: "run", state: newRun(frozen.policy) }
      : { engine: "work", state: newWork(frozen.policy) };
  const untold = frozen.work === undefined ? untoldBy(parentId, frozen.prd !== undefined) : null;
  return { position: first, first, untold, replayed: 0, unreplayed: 0, broken: null, hasFormer: false, ended: null };
}

function untoldBy(parentId: string | null, hasList: boolean): Replay["untold"] {
  if (hasList) return "list";
  return parentId === null ? null : "time";
}

/**
 * Replays the next entry: the engine must lead from the state before it to its orders. `version` is the one that wrote it.
 * From an upgrade on, the state in its note counts, and what came before was another version's.
 */
export function replayEntry(replay: Replay, entry: JournalEntry, version: number): Replay {
  return entry.kind === "note" ? replayNote(replay, entry) : replayStep(replay, entry, version);
}

/**
 * The fields in which a stored run differs from what its journal leads to, by name; its outcome is stored apart, too. Where the
 * steps do not lead to a state, the outcome must still be the one that the last of them told.
 */
export function differingFields(
  { position, first, ended, hasFormer }: Replay,
  stored: Pick<RunState, "outcome"> & { state: RunState },
): string[] {
  if (position === null) {
    const isTold = [stored.outcome, stored.state.outcome].every((each) => canonicalJson(each) === canonicalJson(ended));
    return isTold || ended === null ? [] : ["outcome"];
  }
  const found = new Map<string, unknown>(Object.entries(position.state));
  const kept = [...Object.entries(stored.state), ["outcome", stored.outcome] as const];
  const missing = Array.from(found.keys()).filter((name) => !(name in stored.state));
  const others = kept.filter(([name, value]) => canonicalJson(value) !== canonicalJson(found.get(name)));
  // Reasons of former attempts are sentences, which an earlier version worded differently.
  const names = [...missing, ...others.map(([name]) => name)].filter((name) => !hasFormer || name !== "attempts");
  return Array.from(new Set(names)).filter((name) => position !== first || !toldByFirstStep.has(name));
}

/** What a run begins with beside its policy. The driver of a run without any step was killed before it could tell. */
const toldByFirstStep: ReadonlySet<string> = new Set<keyof Required<RunStart>>([
  "slots",
  "assignment",
  "isWorkLeft",
  "lastUpMs",
]);

function replayNote(replay: Replay, { upgraded }: Extract<JournalEntry, { kind: "note" }>): Replay {
  if (upgraded === undefined || replay.first.engine === "work") return replay;
  const given = { ...replay, position: { engine: "run" as const, state: upgraded.state }, untold: null };
  // The begin of a session gives a state, too, but is of the same version.
  if (upgraded.from === upgraded.to) return given;
  return { ...given, replayed: 0, unreplayed: replay.replayed + replay.unreplayed, broken: null };
}

function replayStep(former: Replay, entry: StepEntry, version: number): Replay {
  const isFormer = version < runStateVersion;
  const replay = { ...former, hasFormer: former.hasFormer || isFormer, ended: endedBy(entry, former.ended) };
  const before = positionBefore(replay, entry, version);
  if (before === null) return { ...replay, position: null, unreplayed: replay.unreplayed + 1 };
  const counted = { ...replay, untold: null, replayed: replay.replayed + 1 };
  if (replay.broken !== null) return counted;
  const position = stepBy(before, entry, isFormer ? "names" : "words");
  if (typeof position !== "string") return { ...counted, position };
  // The rules of then are not those of now; the chain of hashes still covers it.
  if (isFormer) return { ...replay, position: null, unreplayed: replay.unreplayed + 1 };
  return { ...counted, broken: { seq: entry.seq, problem: position } };
}

function endedBy({ observation, effects }: StepEntry, before: Outcome | null): Outcome | null {
  if (observation.type === "run-resumed" || observation.type === "work-resumed") return null;
  for (const effect of effects) if (effect.type === "end-run") return effect.outcome;
  return before;
}

function positionBefore(replay: Replay, entry: StepEntry, version: number): Position | null {
  const { position, first, untold, replayed } = replay;
  if (version < replayableSince) return null;
  if (first.engine === "work") {
    // A work run that was followed and lost on the way is not taken up again in its middle.
    const isTakenUp = position !== null || replayed === 0 || takesOver(entry);
    return entry.kind === "work-step" && isTakenUp ? (position ?? first) : null;
  }
  const isTold = untold === null || (entry.kind === "step" && tells(entry.observation, untold));
  return isTold ? position : null;
}

function takesOver({ observation }: StepEntry): boolean {
  return observation.type === "work-resumed" && "takenOver" in observation && observation.takenOver !== undefined;
}

/** Whether a first step tells it. A request before the start, and a resume of a run that never started, count no time before them. */
function tells(observation: Observation, untold: "time" | "list"): boolean {
  if (observation.type === "asked") return untold === "time";
  if (observation.type === "run-resumed") return untold === "time" || observation.begin !== null;
  return observation.type === "run-started" && observation.begin !== undefined;
}

/**
 * The position after a step; a text says why it does not follow from the one before. By `names`, the sentence of an outcome may be
 * another one: the position then has that of the step.
 */
function stepBy(before: Position, entry: StepEntry, outcomesBy: "words" | "names"): Position | string {
  try {
    const [position, effects] = decided(before, entry);
    if (canonicalJson(effects) === canonicalJson(entry.effects)) return position;
    const isSame =
      outcomesBy === "names" && canonicalJson(wordless(effects)) === canonicalJson(wordless(entry.effects));
    return isSame ? withOutcome(position, entry) : "the engine gives other orders";
  } catch {
    // An observation that no version of the engine was ever given must not end who reads it.
    return "the engine cannot take it";
  }
}

function wordless(effects: readonly { type: string }[]): unknown[] {
  return effects.map((effect) =>
    "outcome" in effect && isObject(effect.outcome)
      ? { ...effect, outcome: { ...effect.outcome, reason: "" } }
      : effect,
  );
}

/** The same position, ended as the step says. */
function withOutcome(position: Position, entry: StepEntry): Position {
  const outcome = endedBy(entry, null);
  if (outcome === null) return position;
  return position.engine === "run"
    ? { engine: "run", state: { ...position.state, outcome } }
    : { engine: "work", state: { ...position.state, outcome } };
}

function decided(before: Position, entry: StepEntry): [Position, { type: string }[]] {
  if (before.engine === "run" && entry.kind === "step") {
    const [state, effects] = decide(before.state, entry.observation);
    return [{ engine: "run", state }, effects];
  }
  if (before.engine === "work" && entry.kind === "work-step") {
    const [state, effects] = decideWork(before.state, entry.observation);
    return [{ engine: "work", state }, effects];
  }
  return [before, []];
}
