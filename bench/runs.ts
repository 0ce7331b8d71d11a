import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fillStore } from "./fill-store.ts";
import { writeInstantAgent } from "./instant-agent.ts";
import type { Bench } from "./main.ts";
import { type Measure, median } from "./measure.ts";
import type { Curve, Point } from "./plot.ts";
import { benchEnvironment, timeProcess } from "./time-process.ts";
import { type Usage, usageOf } from "./usage.ts";

type Stores = { folder: string; use: (state: string, words: string[]) => Promise<Usage> };

/** CPU and memory of `show` against `logs` on a long journal, and of `status` with many runs against few. */
export async function measureRuns(bench: Bench): Promise<Measure[]> {
  const { isQuick, say } = bench;
  const [entries, many, rounds] = isQuick ? [12_000, 800, 3] : [120_000, 8000, 5];
  const stores = await makeStores(bench);
  const add = (name: string, size: { entries: number; runs: number }): void =>
    fillStore({ from: join(stores.folder, "state"), to: join(stores.folder, name), ...size });
  add("long", { entries, runs: 1 });
  add("twice", { entries: 2 * entries, runs: 1 });
  add("few", { entries: 10, runs: 10 });
  add("many", { entries: 10, runs: many });
  say(`runs: ${rounds} rounds with ${entries} journal entries and ${many} runs`);
  const logs = { state: "long", words: ["logs"] };
  const shown = { state: "long", words: ["show"] };
  const twice = { state: "twice", words: ["show"] };
  const few = { state: "few", words: ["status"] };
  const listed = { state: "many", words: ["status"] };
  const used = await inTurns(stores, [logs, shown, twice, few, listed], rounds);
  const [logsUse, showUse, twiceUse, fewUse, manyUse] = used;
  const shows = [
    { x: entries, use: showUse },
    { x: 2 * entries, use: twiceUse },
  ];
  const statuses = [
    { x: 10, use: fewUse },
    { x: many, use: manyUse },
  ];
  return [
    cpuRow(`show of ${entries} journal entries, against logs`, [showUse, logsUse], 2),
    { ...cpuRow("show of twice as many entries", [twiceUse, showUse], 2.2), points: pointsOf(showCurve, shows) },
    memoryRow("memory of show with twice as many entries", [twiceUse, showUse], 1.1),
    {
      ...cpuRow(`status with ${many} runs, against 10`, [manyUse, fewUse], 1.2),
      points: pointsOf(statusCurve, statuses),
    },
  ];
}

const showCurve = { title: "CPU of `show`, by the length of the journal", of: "entries", unit: "ms" };
const statusCurve = { title: "CPU of `status`, by the number of runs", of: "runs", unit: "ms" };

function pointsOf(curve: Curve, all: readonly { x: number; use: Usage | undefined }[]): Point[] {
  return all.map(({ x, use }) => ({ curve, x, y: use?.cpuMs ?? Number.NaN }));
}

/** A store with one real run of four iterations with a guardrail. */
async function makeStores({ root, folder }: Bench): Promise<Stores> {
  const scratch = join(folder, "runs");
  mkdirSync(join(scratch, ".ralph"), { recursive: true });
  const guardrails = [{ command: "true", failAction: "APPEND" }];
  const settings = { breaker: { noProgress: null }, guardrails };
  writeFileSync(join(scratch, ".ralph", "settings.json"), JSON.stringify(settings));
  const env = benchEnvironment(scratch);
  const ralph = [process.execPath, join(root, "bin", "ralph.js")];
  const run = ["run", "-p", "Go on.", "--agent", writeInstantAgent(scratch), "-m", "4", "-C", scratch];
  await timeProcess({ argv: [...ralph, ...run], cwd: scratch, env, exitCodes: [1] });
  return {
    folder: scratch,
    use: (state, words) => {
      const own = { ...env, RALPH_STATE_HOME: join(scratch, state) };
      return usageOf({ argv: [...ralph, ...words, "-C", scratch], cwd: scratch, env: own }, scratch);
    },
  };
}

type Command = { state: string; words: string[] };

/** Medians of commands that take turns; the first round fills the caches and does not count. */
async function inTurns(stores: Stores, commands: readonly Command[], rounds: number): Promise<Usage[]> {
  const all: Usage[][] = commands.map(() => []);
  for (let round = -1; round < rounds; round += 1)
    for (const [index, { state, words }] of commands.entries()) {
      const usage = await stores.use(state, words);
      if (round >= 0) all[index]?.push(usage);
    }
  return all.map((usages) => ({
    cpuMs: median(usages.map(({ cpuMs }) => cpuMs)),
    memoryMb: median(usages.map(({ memoryMb }) => memoryMb)),
  }));
}

type Pair = readonly [Usage | undefined, Usage | undefined];

function cpuRow(name: string, [ours, plain]: Pair, atMost: number): Measure {
  const [oursMs, plainMs] = [ours?.cpuMs ?? Number.NaN, plain?.cpuMs ?? Number.NaN];
  const shown = { ours: `${oursMs.toFixed(0)} ms`, plain: `${plainMs.toFixed(0)} ms` };
  return { name: `CPU: ${name}`, ...shown, value: oursMs / plainMs, unit: "×", target: { atMost } };
}

function memoryRow(name: string, [ours, plain]: Pair, atMost: number): Measure {
  const [oursMb, plainMb] = [ours?.memoryMb ?? Number.NaN, plain?.memoryMb ?? Number.NaN];
  const shown = { ours: `${oursMb.toFixed(0)} MB`, plain: `${plainMb.toFixed(0)} MB` };
  return { name, ...shown, value: oursMb / plainMb, unit: "×", target: { atMost } };
}
