import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { measureBus } from "./bus.ts";
import { compareWith } from "./compare.ts";
import { measureHooks } from "./hooks.ts";
import { measureIterations } from "./iterations.ts";
import { measureLooks } from "./looks.ts";
import { measureRuns } from "./runs.ts";
import { measureStart } from "./start.ts";
import { measureStream } from "./stream.ts";
import { formatTable, type Measure } from "./measure.ts";
import { formatCurves } from "./plot.ts";

/** Where a part works and how much of it is asked for. */
export type Bench = { root: string; folder: string; isQuick: boolean; say: (line: string) => void };

/** One part of the bench. It measures the program in `root`. */
export type Part = (bench: Bench) => Promise<Measure[]>;

const parts: Record<string, Part> = {
  start: measureStart,
  iterations: measureIterations,
  runs: measureRuns,
  stream: measureStream,
  bus: measureBus,
  hooks: measureHooks,
  looks: measureLooks,
};

process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      folder: { type: "string" },
      compare: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.filter((name) => parts[name] === undefined);
  if (unknown.length > 0) {
    process.stderr.write(`bench: there is no part ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}\n`);
    return 2;
  }
  const root = resolve(import.meta.dirname, "..");
  const parent = resolve(values.folder ?? defaultFolder(root));
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "ralph-bench-"));
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    const bench = { root, folder, isQuick: values.quick, say };
    const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
    const table =
      values.compare === undefined
        ? await measureAll(bench, chosen)
        : await compareWith(
            values.compare,
            bench,
            chosen.flatMap((name) => parts[name] ?? []),
          );
    const text = `${machineLine(values.quick)}\n\n${table}`;
    process.stdout.write(text);
    if (values.write) writeFileSync(join(root, "bench", "results.md"), resultsText(text));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
}

/**
 * Not the temp folder: it is often memory, and the store must meet a disk that really syncs. Not below this checkout where
 * another place is known: a run would look at its whole work tree.
 */
function defaultFolder(root: string): string {
  return existsSync("/var/tmp") ? "/var/tmp" : join(root, ".cache");
}

async function measureAll(bench: Bench, names: readonly string[]): Promise<string> {
  const measures: Measure[] = [];
  for (const name of names) measures.push(...((await parts[name]?.(bench)) ?? []));
  const curves = formatCurves(measures);
  return formatTable(measures) + (curves === "" ? "" : `\n## Growth\n\n${curves}`);
}

function machineLine(isQuick: boolean): string {
  const processors = cpus();
  // What follows the first two numbers names the build of one machine.
  const kernel = release().split(".").slice(0, 2).join(".");
  const load = loadavg()[0]?.toFixed(0) ?? "unknown";
  return (
    `Node ${process.versions.node}, ${processors.length} × ${processors[0]?.model ?? "processor"}, ` +
    `${process.platform} ${kernel}, load ${load}${isQuick ? ", --quick" : ""}`
  );
}

function resultsText(text: string): string {
  const date = new Date().toISOString().slice(0, 10);
  return `# Results of the bench\n\nWritten by \`npm run bench -- --write\`; \`README.md\` says how to read it.\n\n${date}, ${text}`;
}
