import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkJournal, type JournalCheck } from "../../src/app/query/check-journal.ts";
import { emptyView, foldEntry } from "../../src/core/journal/run-view.ts";
import type { JournalEntry } from "../../src/core/journal/journal-entry.ts";
import { createViewBuilder } from "../../src/core/journal/view-builder.ts";
import type { RunRecord } from "../../src/shell/ports.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { callRalph } from "./call-ralph.ts";
import { foldSpend } from "./fold-spend.ts";
import { type Fixture, fixtureNames, openFixture, readManifest } from "./open-fixture.ts";
import { replayUntold } from "./replay-untold.ts";

const opened: Fixture[] = [];
afterEach(() => opened.splice(0).forEach((fixture) => fixture.remove()));

function open(name: string): Fixture {
  const fixture = openFixture(name);
  opened.push(fixture);
  return fixture;
}

/** A run, its journal, what a check says of it, and the version of the state that is stored. */
type Stored = { record: RunRecord; entries: JournalEntry[]; check: JournalCheck; version: number };

async function readRun(fixture: Fixture, id: string): Promise<Stored> {
  const store = await openSqliteStore({ folder: fixture.state });
  const [record] = await store.find(id);
  if (record === undefined) throw new Error(`there is no run ${id}`);
  const entries = await store.readJournal(id, 0, 100_000);
  const check = await checkJournal({ store }, record);
  await store.close();
  return { record, entries, check, version: fixture.storedVersion(id) };
}

/** Journals of this version and later ones fold under the names of today. */
const foldsSince = 3;

/** What the journal alone gives, and what is stored. */
type Compared = { folded: unknown; stored: unknown };

/**
 * The journal of a work run folds only since it has an engine; what a version before that wrote names its outcome. Neither
 * does what an older version wrote, before its upgrade: there checks ran in another order, several under one effect.
 */
function compare({ record, entries, check, version }: Stored): Compared {
  const view = entries.reduce(foldEntry, emptyView);
  const isBeforeEngine = !entries.some(({ kind }) => kind === "work-step");
  if (record.frozen.work !== undefined && isBeforeEngine) return { folded: view.outcome, stored: record.outcome };
  const isUpgraded = entries.some((entry) => entry.kind === "note" && entry.upgraded !== undefined);
  if (isUpgraded || (check.isIntact && check.isReplayed))
    return { folded: check, stored: { ...check, isIntact: true, isReplayed: true } };
  if (version >= foldsSince) return { folded: replayUntold(record, entries), stored: { broken: null, fields: [] } };
  const { iteration, spend, outcome } = record.state;
  return {
    folded: { iteration: view.iterations.at(-1)?.number ?? 0, spend: foldSpend(entries), outcome: view.outcome },
    stored: { iteration, spend, outcome },
  };
}

describe.each(fixtureNames)("runs of %s", (name) => {
  const { runs } = readManifest(name);

  const shared: { fixture: Fixture | null } = { fixture: null };
  beforeAll(() => {
    shared.fixture = openFixture(name);
  });
  afterAll(() => shared.fixture?.remove());

  const readings = new Map<string, Promise<Stored>>();
  /** A run of the shared fixture, which no test changes: read once. */
  const readShared = (id: string): Promise<Stored> => {
    const reading = readings.get(id) ?? readRun(shared.fixture ?? open(name), id);
    readings.set(id, reading);
    return reading;
  };
  afterAll(() => readings.clear());

  it.each(runs)("fold from the journal of $scenario ($id) to the stored state", async ({ id, ...recorded }) => {
    const run = await readShared(id);
    const { folded, stored } = compare(run);
    expect(folded).toEqual(stored);
    expect(run.record.state).toMatchObject({ iteration: recorded.iteration, spend: recorded.spend });
  });

  it.each(runs)("show the same view of $scenario ($id) built in place as folded", async ({ id }) => {
    const { entries } = await readShared(id);
    const builder = createViewBuilder();
    for (const entry of entries) builder.add(entry);
    expect(builder.view()).toEqual(entries.reduce(foldEntry, emptyView));
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
      const ended = await fixture.run(["resume", id, ...more, ...answer]);
      expect({ ...ended, stdout: "" }).toMatchObject({ code: 0 });
      const after = await readRun(fixture, id);
      const { record, entries } = after;
      expect(record.outcome?.name).toBe("completed");
      expect(gatesOf(record)).toEqual(gatesOf(before.record));
      const { folded, stored } = compare(after);
      expect(folded).toEqual(stored);
      expect(redAfter(entries, before.entries.length) > 0, "a claim without work was refused").toBe(kind === "run");
      expect(await callRalph(["show", id, "--check"], fixture.env)).toMatchObject({ code: 0, stderr: "" });
    },
  );
});

/** What decides which gates a run has, with the commands that they run. */
function gatesOf({ state: { policy }, frozen }: RunRecord): unknown {
  const { gates, claimBy, hasDelivery } = policy;
  const { guardrails, scm } = frozen.settings;
  return { gates, claimBy, hasDelivery, contract: frozen.contract, guardrails, scm };
}

/** Red checks since the resume: its first turn claims without any work. */
function redAfter(entries: readonly JournalEntry[], seq: number): number {
  return entries.filter(
    (entry) =>
      entry.seq > seq &&
      entry.kind === "step" &&
      entry.observation.type === "gate-finished" &&
      entry.observation.verdicts.some(({ isPassed }) => !isPassed),
  ).length;
}
