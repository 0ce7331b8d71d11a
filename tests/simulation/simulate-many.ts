import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Effect } from "../../src/core/engine/effect.ts";
import type { OutcomeName } from "../../src/core/engine/outcome.ts";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import { type Reached, simulateRun } from "./simulate-run.ts";

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

/** One run in ten is kept in a real database file. */
const sqliteEvery = 10;

/** Simulates `runs` runs from `seed` on. Throws with the seed of the first run that breaks an invariant. */
export async function simulateMany(runs: number, seed: number): Promise<Counts> {
  const counts: Counts = Object.fromEntries(everything().map((name) => [name, 0]));
  for (let run = 0; run < runs; run++) {
    const reached = await simulateOne(seed + run, run % sqliteEvery === 0);
    for (const name of namesOf(reached)) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** What must have happened at least once, or the simulation proves less than it says. */
export function neverReached(counts: Counts): string[] {
  return everything().filter((name) => (counts[name] ?? 0) === 0);
}

async function simulateOne(seed: number, isOnDisk: boolean): Promise<Reached> {
  const folder = isOnDisk ? mkdtempSync(join(tmpdir(), "ralph-simulation-")) : null;
  const store = folder === null ? createMemoryStore() : await openSqliteStore({ folder });
  try {
    return await simulateRun(seed, store);
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
