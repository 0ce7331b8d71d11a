import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { cpus, release } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureBus } from "./bus.ts";
import { measureHooks } from "./hooks.ts";
import { measureIterations } from "./iterations.ts";
import { measureStart } from "./start.ts";
import { measureStream } from "./stream.ts";
import { formatTable, type Measure } from "./measure.ts";

/** Where a part works and how much of it is asked for. */
export type Bench = { root: string; folder: string; isQuick: boolean; say: (line: string) => void };

const parts: Record<string, (bench: Bench) => Promise<Measure[]>> = {
  start: measureStart,
  iterations: measureIterations,
  stream: measureStream,
  bus: measureBus,
  hooks: measureHooks,
};

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: "boolean", default: false }, folder: { type: "string" } },
  });
  const unknown = positionals.filter((name) => parts[name] === undefined);
  if (unknown.length > 0) {
    process.stderr.write(`bench: there is no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}\n`);
    return 2;
  }
  const root = resolve(import.meta.dirname, "..");
  // Not the temp folder: it is often memory, and the store must meet a disk that really syncs.
  const parent = resolve(values.folder ?? join(root, ".cache"));
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "bench-"));
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    const measures: Measure[] = [];
    for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
      measures.push(...((await parts[name]?.({ root, folder, isQuick: values.quick, say })) ?? []));
    }
    const processors = cpus();
    process.stdout.write(
      `Node ${process.versions.node}, ${processors.length} × ${processors[0]?.model ?? "processor"}, ` +
        `${process.platform} ${release()}${values.quick ? ", --quick" : ""}\n\n${formatTable(measures)}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}
