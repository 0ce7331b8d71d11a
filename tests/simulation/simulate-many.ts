import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Effect } from "../../src/core/run/effect.ts";
import type { OutcomeName } from "../../src/core/run/outcome.ts";
import type { Store } from "../../src/shell/ports.ts";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { openSqliteStore } from "../../src/shell/stores/sqlite/sqlite-store.ts";
import type { DiskChange } from "./fake-disk.ts";
import { listActs } from "./prd-acts.ts";
import { type PrdReached, simulatePrd } from "./simulate-prd.ts";
import { type Reached, simulateRun } from "./simulate-run.ts";
import { simulateSupervised, type SupervisedReached } from "./simulate-supervised.ts";
import { simulateWork, type WorkReached } from "./simulate-work.ts";
import { taskActs } from "./supervised-acts.ts";
import { roleActs } from "./work-stage.ts";

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
const effectTypes: Effect["type"][] = ["begin-turn", "cut", "run-gate", "deliver", "set-timer", "end-run"];

/** A bus is renamed only when it has grown to 64 MiB. */
const diskChanges: DiskChange[] = ["write", "append", "create", "remove"];

/** One run in twenty is kept in a real database file, a supervised one now and then; its syncs take most of the time. */
const sqliteEvery = 20;

/** The kinds of runs, with what each simulation reached. */
const kinds = {
  run: async (seed: number, store: Store) => namesOf(await simulateRun(seed, store)),
  supervised: async (seed: number, store: Store) => supervisedNames(await simulateSupervised(seed, store)),
  work: async (seed: number, store: Store) => workNames(await simulateWork(seed, store)),
  prd: async (seed: number, store: Store) => prdNames(await simulatePrd(seed, store)),
};

/** A kind of run that is simulated. The role runs of a work run are part of it. */
export type SimulatedKind = keyof typeof kinds;

/** All of them. */
export const simulatedKinds = Object.keys(kinds) as SimulatedKind[];

/** Of sixteen runs two are supervised, two are works and one is on a task list, which takes the longest. */
const mixture: readonly SimulatedKind[] = Array.from({ length: 16 }, (_, place) => {
  if (place === 8) return "prd";
  if (place % 8 === 4) return "supervised";
  return place % 8 === 2 ? "work" : "run";
});

/**
 * Simulates `runs` runs from `seed` on; with `enough` no more than these, as soon as everything was reached. Throws with the seed
 * of the first run that breaks an invariant.
 */
export async function simulateMany(runs: number, seed: number, enough = runs): Promise<Counts> {
  const counts: Counts = Object.fromEntries(everything().map((name) => [name, 0]));
  for (let run = 0; run < runs; run++) {
    if (run >= enough && neverReached(counts).length === 0) break;
    const kind = mixture[run % mixture.length] ?? "run";
    for (const name of await simulateOne(kind, seed + run, run % sqliteEvery === 0))
      counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Simulates one run of a kind and returns what it reached. Throws with its seed when it breaks an invariant. */
export function simulateOne(kind: SimulatedKind, seed: number, isOnDisk: boolean): Promise<string[]> {
  return withStore(seed, isOnDisk, (store) => kinds[kind](seed, store));
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
    ...outcomeNames.map((name) => `list outcome ${name}`),
    ...diskPoints.map((point) => `list kill ${point}`),
    ...listActs.map(({ name }) => `list agent ${name}`),
    // A store that fails ends a work run without an outcome; what fails in it fails a task.
    ...outcomeNames.map((name) => `work outcome ${name}`),
    ...["done", "failed", "ready", "conflict"].map((status) => `work task ${status}`),
    ...workEffects.map((type) => `work effect ${type}`),
    ...answeredWorkEffects.flatMap((type) => [`work kill before ${type}`, `work kill after ${type}`]),
    "work kill before tell-role",
    ...diskPoints.slice(0, 2).map((point) => `work kill ${point}`),
    ...roleActs.map(({ name }) => `work agent ${name}`),
    "work sends a task back",
    "work undoes a merge",
  ];
}

/** Effects of a work run that are answered before long; the driver is killed before and after each. */
const answeredWorkEffects = [
  "open-place",
  "start-role",
  "find-tip",
  "merge-task",
  "compare-tip",
  "verify-tip",
  "undo-merge",
  "clear-place",
] as const;

const workEffects = [...answeredWorkEffects, "tell-role", "set-timer", "end-run"] as const;

/** Where runs on a task list are killed beside the store's own points. */
const diskPoints = ["before start", "after start", "before write", "after write", "before remove", "after remove"];

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

function prdNames(reached: PrdReached): string[] {
  return [
    ...reached.outcomes.map((name) => `list outcome ${name}`),
    ...[...reached.effects].map((type) => `effect ${type}`),
    ...reached.kills.map((point) => `kill ${point}`),
    ...[...reached.diskKills, ...reached.startKills].map((point) => `list kill ${point}`),
    ...[...reached.acts].map((name) => `list agent ${name}`),
  ];
}

function workNames(reached: WorkReached): string[] {
  return [
    ...reached.outcomes.map((name) => `work outcome ${name}`),
    ...[...reached.statuses].map((status) => `work task ${status}`),
    ...[...reached.effects].map((type) => `work effect ${type}`),
    ...reached.kills.flatMap((point) => [`kill ${point}`, `work kill ${point}`]),
    ...[...reached.diskKills, ...reached.startKills].map((point) => `work kill ${point}`),
    ...[...reached.acts].map((name) => `work agent ${name}`),
    ...(reached.hasSendBack ? ["work sends a task back"] : []),
    ...(reached.hasUndoneMerge ? ["work undoes a merge"] : []),
  ];
}
