import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RunState } from "../../src/core/engine/state.ts";
import { emptyView, foldEntry } from "../../src/core/journal/run-view.ts";
import type { JournalEntry } from "../../src/core/journal/journal-entry.ts";
import type { RunRecord } from "../../src/shell/ports.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { foldJournal } from "./fold-journal.ts";
import { type Fixture, fixtureNames, openFixture, readManifest } from "./open-fixture.ts";

/** What later versions remember beyond the recorded one: folding fills it, the stored state could not know it. */
const unknownThen: Record<string, string[]> = { c691b31: ["attempts"] };

const opened: Fixture[] = [];
afterEach(() => opened.splice(0).forEach((fixture) => fixture.remove()));

function open(name: string): Fixture {
  const fixture = openFixture(name);
  opened.push(fixture);
  return fixture;
}

async function readRun(fixture: Fixture, id: string): Promise<{ record: RunRecord; entries: JournalEntry[] }> {
  const store = await openSqliteStore({ folder: fixture.state });
  const [record] = await store.find(id);
  const entries = await store.readJournal(id, 0, 100_000);
  await store.close();
  if (record === undefined) throw new Error(`there is no run ${id}`);
  return { record, entries };
}

/** What the journal alone gives, and what is stored. */
type Compared = { folded: unknown; stored: unknown };

/** The record of a work run is no fold of `decide`: its role runs are, and the journal names its outcome. */
function compare(record: RunRecord, entries: readonly JournalEntry[], fields: readonly string[]): Compared {
  if (record.frozen.work !== undefined)
    return { folded: entries.reduce(foldEntry, emptyView).outcome, stored: record.outcome };
  const { state, otherOrders } = foldJournal(record, entries);
  const isUpgraded = entries.some((entry) => entry.kind === "note" && entry.upgraded !== undefined);
  // Orders of an older version lack what their own version did not know.
  const others = isUpgraded || fields.length > 0 ? [] : otherOrders;
  return {
    folded: { state: without(state, fields), others },
    stored: { state: without(record.state, fields), others: [] },
  };
}

/** The state without these fields, wherever they stand: in the state itself and in the effect in flight. */
function without(state: RunState, fields: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(state, (key, value: unknown) => (fields.includes(key) ? undefined : value)));
}

describe.each(fixtureNames)("runs of %s", (name) => {
  const { runs } = readManifest(name);
  const fields = unknownThen[name] ?? [];

  const shared: { fixture: Fixture | null } = { fixture: null };
  beforeAll(() => {
    shared.fixture = openFixture(name);
  });
  afterAll(() => shared.fixture?.remove());

  it.each(runs)("fold from the journal of $scenario ($id) to the stored state", async ({ id, ...recorded }) => {
    const { record, entries } = await readRun(shared.fixture ?? open(name), id);
    const { folded, stored } = compare(record, entries, fields);
    expect(folded).toEqual(stored);
    expect(record.state).toMatchObject({ iteration: recorded.iteration, spend: recorded.spend });
  });

  const resumable = runs.filter(({ outcome, parentId }) => outcome !== "completed" && parentId === null);
  it.each(resumable)(
    "go on where $scenario stopped, with every gate it had",
    async ({ id, scenario, kind, outcome }) => {
      const fixture = open(name);
      fixture.letGo(scenario);
      const before = await readRun(fixture, id);
      const more = outcome === "exhausted" ? ["-m", "3"] : [];
      const answer = outcome === "waiting" && kind === "run" ? ["--answer", "8080"] : [];
      const ended = fixture.ralph(["resume", id, ...more, ...answer]);
      expect({ ...ended, stdout: "" }).toMatchObject({ code: 0 });
      const { record, entries } = await readRun(fixture, id);
      expect(record.outcome?.name).toBe("completed");
      expect(gatesOf(record)).toEqual(gatesOf(before.record));
      const { folded, stored } = compare(record, entries, []);
      expect(folded).toEqual(stored);
      expect(redAfter(entries, before.entries.length) > 0, "a claim without work was refused").toBe(kind === "run");
      const check = fixture.ralph(["show", id, "--check"]);
      expect(check).toMatchObject({ code: 0, stderr: "" });
    },
  );
});

/** What decides which gates a run has, with the commands that they run. */
function gatesOf({ state: { policy }, frozen }: RunRecord): unknown {
  const { guardrailCount, criterionCount, hasTasks, hasChildren, hasDelivery, hasMarkers } = policy;
  const { guardrails, scm } = frozen.settings;
  return { guardrailCount, criterionCount, hasTasks, hasChildren, hasDelivery, hasMarkers, guardrails, scm };
}

/** Red checks since the resume: its first turn claims without any work. */
function redAfter(entries: readonly JournalEntry[], seq: number): number {
  return entries.filter(
    (entry) =>
      entry.seq > seq &&
      entry.kind === "step" &&
      entry.observation.type === "checks-finished" &&
      entry.observation.verdicts.some(({ isPassed }) => !isPassed),
  ).length;
}
