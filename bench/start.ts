import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeInstantAgent } from "./instant-agent.ts";
import type { Bench } from "./main.ts";
import { type Measure, median } from "./measure.ts";
import { benchEnvironment, timeProcess } from "./time-process.ts";

/** Runs in the store that `ralph status` shows. */
const storedRuns = 5;

/** Cold start of `ralph --version` and `ralph status` against an empty program of the same Node. */
export async function measureStart({ root, folder, isQuick, say }: Bench): Promise<Measure[]> {
  const env = benchEnvironment(folder);
  const node = process.execPath;
  const ralph = [node, join(root, "bin", "ralph.js")];
  const agent = writeInstantAgent(folder);
  // CommonJS, outside of every package: the fastest start this Node has.
  const empty = join(folder, "empty.cjs");
  writeFileSync(empty, "");
  for (let run = 0; run < storedRuns; run += 1) {
    const argv = [...ralph, "run", "-p", "Go on.", "--agent", agent, "-m", "2", "-C", folder];
    await timeProcess({ argv, cwd: folder, env, exitCodes: [1] });
  }
  const programs = {
    empty: [node, empty],
    version: [...ralph, "--version"],
    status: [...ralph, "status", "-C", folder],
  };
  const times: Record<keyof typeof programs, number[]> = { empty: [], version: [], status: [] };
  const rounds = isQuick ? 11 : 41;
  say(`start: ${rounds} rounds`);
  for (let round = -2; round < rounds; round += 1) {
    for (const name of ["empty", "version", "status"] as const) {
      const durationMs = await timeProcess({ argv: programs[name], cwd: folder, env });
      // The first rounds fill the caches of the disk.
      if (round >= 0) times[name].push(durationMs);
    }
  }
  const emptyMs = median(times.empty);
  const row = (name: "version" | "status", title: string, atMost: number): Measure => ({
    name: title,
    ours: `${median(times[name]).toFixed(1)} ms`,
    plain: `${emptyMs.toFixed(1)} ms`,
    value: median(times[name]) / emptyMs,
    unit: "×",
    target: { atMost },
  });
  return [row("version", "start of `ralph --version`", 1.3), row("status", "start of `ralph status`", 2)];
}
