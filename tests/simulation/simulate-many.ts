import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Effect } from "../../src/core/engine/effect.ts";
import type { OutcomeName } from "../../src/core/engine/outcome.ts";
import type { Store } from "../../src/shell/ports.ts";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import type { DiskChange } from "./fake-disk.ts";
import { type Reached, simulateRun } from "./simulate-run.ts";
import { simulateSupervised, type SupervisedReached } from "./simulate-supervised.ts";
import { taskActs } from "./supervised-acts.ts";

/** How often each thing happened in many runs. */
export type Counts = Record<string, number>;

const outcomeNames: OutcomeName[] = [
  "completed",
  "exhausted",
  "failed",
  "waiting",
  "stopped",
  "cancelled",
  "interrupted",
];
const effectTypes: Effect["type"][] = [
  "begin-turn",
  "cut",
  "run-checks",
  "deliver",
  "repair-tasks",
  "set-timer",
  "end-run",
];

/** A bus is renamed only when it has grown to 64 MiB. */
const diskChanges: DiskChange[] = ["write", "append", "create", "remove"];

/** One run in twenty is kept in a real database file, a supervised one now and then; its syncs take most of the time. */
const sqliteEvery = 20;

/** One run in eight is a supervised one; it takes twice the time of another. */
const supervisedEvery = 8;

/** Simulates `runs` runs from `seed` on. Throws with the seed of the first run that breaks an invariant. */
export async function simulateMany(runs: number, seed: number): Promise<Counts> {
  const counts: Counts = Object.fromEntries(everything().map((name) => [name, 0]));
  for (let run = 0; run < runs; run++) {
    const isSupervised = run % supervisedEvery === supervisedEvery / 2;
    const names = await withStore(seed + run, run % sqliteEvery === 0, async (store) =>
      isSupervised
        ? supervisedNames(await simulateSupervised(seed + run, store))
        : namesOf(await simulateRun(seed + run, store)),
    );
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** What must have happened at least once, or the simulation proves less than it says. */
export function neverReached(counts: Counts): string[] {
  return everything().filter((name) => (counts[name] ?? 0) === 0);
}

async function withStore<Result>(
  seed: number,
  isOnDisk: boolean,
  simulate: (store: Store) => Promise<Result>,
): Promise<Result> {
  const folder = isOnDisk ? mkdtempSync(join(tmpdir(), "ralph-simulation-")) : null;
  const store = folder === null ? createMemoryStore() : await openSqliteStore({ folder });
  try {
    return await simulate(store);
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await store.close();
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

function everything(): string[] {
  return [
    ...outcomeNames.map((name) => `outcome ${name}`),
    ...effectTypes.map((type) => `effect ${type}`),
    ...effectTypes.flatMap((type) => [`kill before ${type}`, `kill after ${type}`]),
    // A supervised run has no budget but its restarts.
    ...outcomeNames.filter((name) => name !== "stopped").map((name) => `supervised outcome ${name}`),
    ...diskChanges.flatMap((change) => [`supervised kill before ${change}`, `supervised kill after ${change}`]),
    ...taskActs.map(({ name }) => `supervised agent ${name}`),
  ];
}

function namesOf(reached: Reached): string[] {
  return [
    ...reached.outcomes.map((name) => `outcome ${name}`),
    ...[...reached.effects].map((type) => `effect ${type}`),
    ...reached.kills.map((point) => `kill ${point}`),
    ...[...reached.acts].map((name) => `agent ${name}`),
  ];
}

function supervisedNames(reached: SupervisedReached): string[] {
  return [
    ...reached.outcomes.map((name) => `supervised outcome ${name}`),
    ...[...reached.effects].map((type) => `effect ${type}`),
    ...reached.kills.map((point) => `kill ${point}`),
    ...reached.diskKills.map((point) => `supervised kill ${point}`),
    ...[...reached.acts].map((name) => `supervised agent ${name}`),
  ];
}
