import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timeProcess, type Timed } from "./time-process.ts";

/** What a program of Node used itself: milliseconds of CPU and megabytes at most. */
export type Usage = { cpuMs: number; memoryMb: number };

/** Runs a program of Node that reports its own use at its end, exact to the microsecond. */
export async function usageOf(timed: Timed, folder: string): Promise<Usage> {
  const [report, reporter] = [join(folder, "usage.json"), join(folder, "usage.cjs")];
  writeFileSync(reporter, reportScript(report));
  await timeProcess({ ...timed, env: { ...timed.env, NODE_OPTIONS: `--require=${reporter}` } });
  return JSON.parse(readFileSync(report, "utf8")) as Usage;
}

function reportScript(path: string): string {
  return `process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, memoryMb: maxRSS / 1024 };
  require("node:fs").writeFileSync(${JSON.stringify(path)}, JSON.stringify(usage));
});`;
}
