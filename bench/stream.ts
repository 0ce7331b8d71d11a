import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Bench } from "./main.ts";
import { type Measure, median } from "./measure.ts";
import type { Point } from "./plot.ts";
import { benchEnvironment } from "./time-process.ts";
import { type StreamKind, streamKinds, writeLongLines, writeStream } from "./write-stream.ts";

const megabyte = 1_000_000;

/** What one reading of the whole stream cost the program that read it, without the agent. */
type StreamCost = { cpuMs: number; peakBytes: number };

/** A stream and the two programs that read it. */
type Contest = { path: string; ours: Program; lean: Program; rounds: number };
type Program = { argv: readonly string[]; cwd: string; env: Record<string, string>; exitCodes: readonly number[] };

/** CPU time and peak memory of a turn with live view, raw log and redaction, against the lean loop on the same lines. */
export async function measureStream(bench: Bench): Promise<Measure[]> {
  const { root, folder, isQuick, say } = bench;
  const fixtures = join(root, "tests/fixtures/streams");
  const megabytes = isQuick ? 100 : 1000;
  const rounds = 3;
  const lean = join(folder, "read-stream.mjs");
  await buildLean(lean);
  const costReport = writeCostReport(folder);
  const path = join(folder, "stream.ndjson");
  const contest = (kind: StreamKind): Contest => ({
    path,
    rounds,
    ...programsOf(bench, { kind, path, lean, costReport }),
  });
  const measures: Measure[] = [];
  for (const kind of streamKinds) {
    say(`stream: ${rounds} rounds of ${megabytes} MB ${kind}`);
    await writeStream({ fixtures, kind }, path, megabytes * megabyte);
    const costs = await compete(contest(kind));
    const points = kind === "claude" ? growthPoints(megabytes, costs.ours) : [];
    const [speed, ...others] = speedRows(`${megabytes} MB ${kind}`, megabytes, costs);
    if (speed !== undefined) measures.push({ ...speed, points }, ...others);
    rmSync(path);
  }
  say("stream: shorter ones");
  for (const share of [10, 3]) {
    const size = Math.round(megabytes / share);
    await writeStream({ fixtures, kind: "claude" }, path, size * megabyte);
    const cost = await costOf(contest("claude").ours);
    rmSync(path);
    measures[0]?.points?.push(...growthPoints(size, [cost]));
  }
  say(`stream: ${rounds} rounds of 12 MB lines`);
  await writeLongLines(fixtures, path, isQuick ? 8 : 40);
  const { ours, lean: leanCosts } = await compete(contest("claude"));
  rmSync(path);
  return [...measures, memoryRow("lines of 12 MB", { ours, lean: leanCosts }, 120)];
}

const cpuCurve = { title: "CPU of a turn of claude, by the length of its output", of: "MB", unit: "ms" };
const memoryCurve = { title: "Peak memory of a turn of claude, by the length of its output", of: "MB", unit: "MB" };

function growthPoints(megabytes: number, costs: readonly StreamCost[]): Point[] {
  return [
    { curve: cpuCurve, x: megabytes, y: median(costs.map(({ cpuMs }) => cpuMs)) },
    { curve: memoryCurve, x: megabytes, y: median(costs.map(({ peakBytes }) => peakBytes / megabyte)) },
  ];
}

type Costs = { ours: StreamCost[]; lean: StreamCost[] };

async function compete({ ours, lean, rounds }: Contest): Promise<Costs> {
  const costs: Costs = { ours: [], lean: [] };
  for (let round = 0; round < rounds; round += 1) {
    costs.lean.push(await costOf(lean));
    costs.ours.push(await costOf(ours));
  }
  return costs;
}

function speedRows(name: string, megabytes: number, costs: Costs): Measure[] {
  const cpuOf = (side: StreamCost[]): number => median(side.map(({ cpuMs }) => cpuMs));
  const speed = (cpuMs: number): string => `${(megabytes / (cpuMs / 1000)).toFixed(0)} MB/s`;
  const [ours, lean] = [cpuOf(costs.ours), cpuOf(costs.lean)];
  const cpu = { name: `${name}, shown and logged`, ours: speed(ours), plain: speed(lean), value: ours / lean };
  return [{ ...cpu, unit: "×", target: { atMost: 1.2 } }, memoryRow(name, costs, 100)];
}

function memoryRow(name: string, costs: Costs, atMost: number): Measure {
  const peakOf = (side: StreamCost[]): number => median(side.map(({ peakBytes }) => peakBytes / megabyte));
  const [ours, lean] = [peakOf(costs.ours), peakOf(costs.lean)];
  const shown = { ours: `${ours.toFixed(0)} MB`, plain: `${lean.toFixed(0)} MB`, value: ours };
  return { name: `${name}, peak memory`, ...shown, unit: "MB", target: { atMost } };
}

/** The built program with an agent that prints the stream, and the lean loop that starts `cat` for the same. */
function programsOf(
  { root, folder }: Bench,
  { kind, path, lean, costReport }: { kind: StreamKind; path: string; lean: string; costReport: string },
): { ours: Program; lean: Program } {
  const env = { ...benchEnvironment(folder), ...secrets };
  const node = [process.execPath, "--require", costReport];
  const run = ["run", "-p", "Go on.", "--agent", writeAgent(folder, kind, path), "-m", "1", "-C", folder];
  return {
    // A run of one iteration that is not complete ends with 1.
    ours: { argv: [...node, join(root, "bin", "ralph.js"), ...run], cwd: folder, env, exitCodes: [0, 1] },
    lean: { argv: [...node, lean, kind, path, join(folder, "lean.log")], cwd: folder, env, exitCodes: [0] },
  };
}

/** Three values to hide, as long as real keys; none of them is in the stream. */
const secrets = Object.fromEntries(
  ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"].map((name, index) => [
    name,
    `${["sk-ant-api03", "sk-proj", "AIza"][index] ?? ""}-${"k7Qx".repeat(10)}`,
  ]),
);

/** Its name chooses how its output is read. */
function writeAgent(folder: string, kind: StreamKind, path: string): string {
  const bin = join(folder, "stream-agent");
  mkdirSync(bin, { recursive: true });
  const agent = join(bin, kind === "text" ? "writer" : kind);
  writeFileSync(agent, `#!/bin/sh\ncat > /dev/null\nexec cat '${path}'\n`);
  chmodSync(agent, 0o755);
  return agent;
}

/** Built as the program is: Node's own way with types would take 30 MB of memory. */
async function buildLean(outfile: string): Promise<void> {
  const entry = join(import.meta.dirname, "read-stream.ts");
  await build({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "warning" });
}

/** A file for `--require` that notes at exit what the process cost; `VmHWM`, because `maxRSS` may show the parent's memory. */
function writeCostReport(folder: string): string {
  const path = join(folder, "cost-report.cjs");
  const code = `process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  const peak = /VmHWM:\\s*(\\d+) kB/.exec(require("node:fs").readFileSync("/proc/self/status", "utf8"));
  const cost = { cpuMs: (user + system) / 1000, peakBytes: Number(peak[1]) * 1024 };
  require("node:fs").writeFileSync(${JSON.stringify(costPath(folder))}, JSON.stringify(cost));
});
`;
  writeFileSync(path, code);
  return path;
}

function costPath(folder: string): string {
  return join(folder, "cost.json");
}

/** What is shown goes through a pipe to this process, which throws it away. */
async function costOf({ argv, cwd, env, exitCodes }: Program): Promise<StreamCost> {
  const [program = "", ...parameters] = argv;
  const child = spawn(program, parameters, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let complaint = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  await once(child, "close");
  if (child.exitCode === null || !exitCodes.includes(child.exitCode))
    throw new Error(`${argv.join(" ")} failed: ${complaint}`);
  return JSON.parse(readFileSync(costPath(cwd), "utf8")) as StreamCost;
}
