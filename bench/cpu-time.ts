import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Timed } from "./time-process.ts";

/**
 * Milliseconds of CPU that a program and all it waited for took, user and system; on a busy machine they say more than
 * the clock. Linux counts them for us in steps of 10 ms, so only the mean of many rounds means something.
 */
export async function cpuTime({ argv, cwd, env, exitCodes = [0] }: Timed): Promise<number> {
  const [program = "", ...parameters] = argv;
  const before = childrenCpuMs();
  const child = spawn(program, parameters, { cwd, env, stdio: "ignore" });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  // Null: ended by a signal, as a run is whose agent ends it.
  if (code !== null && !exitCodes.includes(code)) throw new Error(`${argv.join(" ")} ended with ${code}`);
  return childrenCpuMs() - before;
}

/** The mean, because each value is rounded to 10 ms. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Of all children that ended and were waited for; fields 16 and 17 of proc_pid_stat(5), in hundredths of a second. */
function childrenCpuMs(): number {
  // The name of the program, in brackets, may hold blanks.
  const [, rest = ""] = readFileSync("/proc/self/stat", "utf8").split(/\) (?!.*\) )/);
  const fields = rest.split(" ").map(Number);
  return ((fields[13] ?? Number.NaN) + (fields[14] ?? Number.NaN)) * 10;
}
