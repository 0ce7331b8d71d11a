import { describe, expect, it } from "vitest";
import { policyOf } from "../../../tests/engine/play.ts";
import { decide } from "../engine/decide.ts";
import type { Observation } from "../run/observation.ts";
import { newRun, type RunStart, type RunState, runStateVersion } from "../run/state.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { beginReplay, differingFields, type Replay, replayEntry, type ReplayedRun } from "./replay.ts";

const policy = policyOf({});
const plain: ReplayedRun = { parentId: null, frozen: { policy } };
const role: ReplayedRun = { ...plain, parentId: "work" };

const started = (begin?: RunStart): Observation => ({
  type: "run-started",
  at: 1,
  upMs: 10,
  ...(begin === undefined ? {} : { begin }),
});
const asked: Observation = { type: "asked", request: "pause", seq: 1, at: 2, upMs: 20 };

/** The journal of a run to which this happened, and the state it leads to. */
function journalOf(begun: RunState, ...observations: Observation[]): { entries: JournalEntry[]; state: RunState } {
  let state = begun;
  const entries = observations.map((observation, index): JournalEntry => {
    const [next, effects] = decide(state, observation);
    state = next;
    return { runId: "a", seq: index + 1, at: observation.at, kind: "step", observation, effects };
  });
  return { entries, state };
}

function replayed(run: ReplayedRun, entries: readonly JournalEntry[], version: number = runStateVersion): Replay {
  return entries.reduce((replay, entry) => replayEntry(replay, entry, version), beginReplay(run));
}

const { entries, state } = journalOf(newRun(policy), started(), asked);
const note = (upgraded: { from: number; to: number; state: RunState }): JournalEntry => ({
  runId: "a",
  seq: 9,
  at: 9,
  kind: "note",
  level: "info",
  text: "It continues.",
  upgraded,
});

describe("the replay of a journal", () => {
  it("leads to the stored state, and names each field of another one", () => {
    const replay = replayed(plain, entries);
    expect(replay).toMatchObject({ replayed: 2, unreplayed: 0, broken: null });
    expect(differingFields(replay, { state, outcome: null })).toEqual([]);
    const edited = { ...state, iteration: 7, isHeld: !state.isHeld };
    expect(differingFields(replay, { state: edited, outcome: null })).toEqual(["iteration", "isHeld"]);
    const outcome = { name: "completed" as const, reason: "Done." };
    expect(differingFields(replay, { state, outcome })).toEqual(["outcome"]);
  });

  it("leads to the state of a role run that was asked something before it started", () => {
    const interrupt: Observation = { type: "asked", request: "interrupt", seq: null, at: 1, upMs: 900 };
    const again = {
      type: "run-resumed" as const,
      lostSpend: null,
      answer: null,
      change: {},
      missed: null,
      begin: null,
    };
    const told = journalOf({ ...newRun(policy), lastUpMs: 800 }, interrupt, { ...again, at: 2, upMs: 5 });
    expect(told.state.usedMs).toBe(0);
    const replay = replayed(role, told.entries);
    expect(replay).toMatchObject({ replayed: 2, unreplayed: 0, broken: null });
    expect(differingFields(replay, { state: told.state, outcome: null })).toEqual([]);
  });

  it("leaves an entry of an earlier version whose orders the engine does not give any more, until an upgrade tells the state", () => {
    const silent = entries.map((entry): JournalEntry => (entry.kind === "step" ? { ...entry, effects: [] } : entry));
    const former = replayed(plain, silent, runStateVersion - 1);
    expect(former).toMatchObject({ position: null, replayed: 0, unreplayed: 2, broken: null });
    const upgraded = replayEntry(
      former,
      note({ from: runStateVersion - 1, to: runStateVersion, state }),
      runStateVersion,
    );
    expect(differingFields(upgraded, { state, outcome: null })).toEqual([]);
  });

  it("names the first entry whose orders the engine does not give, and one that it cannot take", () => {
    const [first, second] = entries;
    const silent = entries.map((entry): JournalEntry => (entry.kind === "step" ? { ...entry, effects: [] } : entry));
    expect(replayed(plain, silent).broken).toEqual({ seq: 1, problem: "the engine gives other orders" });
    const unknown = { ...second, observation: { type: "turn-ended", effectId: 1, at: 3, upMs: 30 } } as JournalEntry;
    expect(replayed(plain, [first!, unknown]).broken).toEqual({ seq: 2, problem: "the engine cannot take it" });
  });

  it("begins a role where its first step says, and says nothing of one that does not", () => {
    const begun = journalOf(newRun(policy), started({ lastUpMs: 4 }), asked);
    const told = replayed(role, begun.entries);
    expect(told.position?.state.usedMs).toBe(16);
    expect(differingFields(told, { state: begun.state, outcome: null })).toEqual([]);
    expect(replayed(role, entries)).toMatchObject({ position: null, replayed: 0, unreplayed: 2, broken: null });
  });

  it("does not miss what only a first step tells, where the driver was killed before it", () => {
    const unbegun = { ...newRun(policy), lastUpMs: 800, slots: { sealed: { hash: "h" } } };
    expect(differingFields(beginReplay(role), { state: unbegun, outcome: null })).toEqual([]);
    const edited = { ...unbegun, iteration: 3 };
    expect(differingFields(beginReplay(role), { state: edited, outcome: null })).toEqual(["iteration"]);
    const later = { ...state, lastUpMs: state.lastUpMs + 1 };
    expect(differingFields(replayed(plain, entries), { state: later, outcome: null })).toEqual(["lastUpMs"]);
  });

  it("does not replay what an earlier version wrote, and continues from the state of its upgrade", () => {
    expect(replayed(plain, entries, 2)).toMatchObject({ position: null, unreplayed: 2 });
    const wrong = entries.map((entry): JournalEntry => (entry.kind === "step" ? { ...entry, effects: [] } : entry));
    const more = journalOf(state, { ...asked, seq: 2, request: "go-on", upMs: 30 });
    const upgrade = note({ from: 3, to: 4, state });
    const replay = replayed(plain, [...wrong, upgrade, ...more.entries]);
    expect(replay).toMatchObject({ replayed: 1, unreplayed: 2, broken: null });
    expect(differingFields(replay, { state: more.state, outcome: null })).toEqual([]);
    const begin = note({ from: 4, to: 4, state });
    expect(replayed(plain, [...wrong, begin]).broken).toMatchObject({ seq: 1 });
  });
});

describe("the replay of steps that an earlier version wrote", () => {
  const former = runStateVersion - 1;
  const ending: Observation = { type: "asked", request: "cancel", seq: 1, at: 3, upMs: 30 };
  const ended = journalOf(newRun(policy), ending);
  const worded = ended.entries.map((entry): JournalEntry => {
    if (entry.kind !== "step") return entry;
    const effects = entry.effects.map((effect) =>
      effect.type === "end-run" ? { ...effect, outcome: { ...effect.outcome, reason: "Said otherwise." } } : effect,
    );
    return { ...entry, effects };
  });
  const outcome = { name: "cancelled" as const, reason: "Said otherwise." };
  const stored = { state: { ...ended.state, outcome }, outcome };

  it("allows another closing sentence, and compares the whole state with it", () => {
    const replay = replayed(plain, worded, former);
    expect(replay).toMatchObject({ replayed: 1, unreplayed: 0, broken: null });
    expect(differingFields(replay, stored)).toEqual([]);
    expect(differingFields(replay, { ...stored, state: { ...stored.state, iteration: 9 } })).toEqual(["iteration"]);
    expect(replayed(plain, worded).broken).toMatchObject({ seq: 1 });
  });

  it("compares the outcome with what the last step told, also where no state follows from the steps", () => {
    const other = worded.map((entry): JournalEntry =>
      entry.kind === "step" ? { ...entry, effects: [...entry.effects, ...entry.effects] } : entry,
    );
    const replay = replayed(plain, other, former);
    expect(replay).toMatchObject({ position: null, unreplayed: 1, broken: null });
    expect(differingFields(replay, stored)).toEqual([]);
    const edited = { name: "completed" as const, reason: "All is well." };
    expect(differingFields(replay, { ...stored, outcome: edited })).toEqual(["outcome"]);
  });
});
