import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Bench } from "./main.ts";
import { type Measure, median } from "./measure.ts";
import type { StreamCost } from "./read-stream.ts";
import { writeStream } from "./write-stream.ts";

const megabyte = 1_000_000;

const sizes = [
  { megabytes: 200, rounds: 5 },
  { megabytes: 1000, rounds: 3 },
];
const quickSizes = [{ megabytes: 50, rounds: 3 }];

/** Bytes a second and peak memory through reader and log, against plain `JSON.parse` on every line. */
export async function measureStream({ root, folder, isQuick, say }: Bench): Promise<Measure[]> {
  const measures: Measure[] = [];
  const program = join(folder, "read-stream.mjs");
  await buildReader(program);
  for (const { megabytes, rounds } of isQuick ? quickSizes : sizes) {
    say(`stream: ${rounds} rounds of ${megabytes} MB`);
    const path = join(folder, "stream.ndjson");
    await writeStream(join(root, "tests/fixtures/streams/claude"), path, megabytes * megabyte);
    const costs: Costs = { reader: [], plain: [], lean: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const mode of ["plain", "lean", "reader"] as const) {
        costs[mode].push(await readInChild([program, mode, path, join(folder, "turn.log")]));
      }
    }
    rmSync(path);
    measures.push(...compare(`${megabytes} MB`, costs));
  }
  return measures;
}

type Costs = Record<"reader" | "plain" | "lean", StreamCost[]>;

function compare(size: string, costs: Costs): Measure[] {
  const speedOf = (mode: keyof Costs): number =>
    median(costs[mode].map(({ bytes, durationMs }) => bytes / megabyte / (durationMs / 1000)));
  const memoryOf = (mode: keyof Costs): number =>
    median(costs[mode].map(({ residentBytes }) => residentBytes / megabyte));
  const speedRow = (mode: "plain" | "lean", name: string, target: Measure["target"]): Measure => ({
    name: `${size} read and logged, against ${name}`,
    ours: `${speedOf("reader").toFixed(0)} MB/s`,
    plain: `${speedOf(mode).toFixed(0)} MB/s`,
    value: speedOf("reader") / speedOf(mode),
    unit: "×",
    target,
  });
  return [
    speedRow("plain", "`JSON.parse`", { atLeast: 0.8 }),
    speedRow("lean", "the leanest loop", { atLeast: 0.8 }),
    {
      name: `${size} read and logged, peak memory`,
      ours: `${memoryOf("reader").toFixed(0)} MB`,
      plain: `${memoryOf("plain").toFixed(0)} MB`,
      value: memoryOf("reader"),
      unit: "MB",
      target: { atMost: 150 },
    },
  ];
}

/** Built as the program is: Node's own way with types would take 30 MB of the memory that is measured. */
async function buildReader(outfile: string): Promise<void> {
  const entry = join(import.meta.dirname, "read-stream.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
}

/** A process of its own, so that its peak memory is only its own. */
async function readInChild(argv: readonly string[]): Promise<StreamCost> {
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  let answer = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    answer += text;
  });
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`${argv.join(" ")} failed`);
  const costs: Record<string, number> = Object.fromEntries(
    answer
      .split(" ")
      .map((part) => part.split("="))
      .map(([name = "", value]) => [name, Number(value)]),
  );
  return {
    bytes: costs["bytes"] ?? 0,
    durationMs: costs["durationMs"] ?? 0,
    residentBytes: costs["residentBytes"] ?? 0,
  };
}
