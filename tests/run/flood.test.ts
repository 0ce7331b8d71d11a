import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

const isLinux = process.platform === "linux";

/** The most memory a living process has had, in MB; 0 once it is gone. */
function peakMegabytes(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    // It has ended.
    return 0;
  }
}

/** Runs a script of the scripted agent and watches the memory of the `ralph` process. */
async function check(script: string, words: string[] = []): Promise<void> {
  const project = openProject();
  project.sim(script, { maximumIterations: 1 });
  const started = project.start(["run", "-p", "Do it", ...words], { timeoutMs: 170_000 });
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, peakMegabytes(started.pid))), 50);
  const { code, stderr } = await started.ended;
  clearInterval(timer);
  expect(stderr).toMatch(/^completed(, unverified)?: Claim accepted in iteration 1/m);
  expect(code).toBe(0);
  if (!isLinux) return;
  expect(peak).toBeGreaterThan(20);
  expect(peak).toBeLessThan(150);
}

it("1 GB of output passes in less than 150 MB, and the claim at its end is found (S1-41, S1-73)", async () => {
  await check("turns:\n  - - flood: 1GB\n    - claim\n", ["--no-stream-agent-output"]);
}, 180_000);

it("a line of 100 MB is passed over without being held (S1-73)", async () => {
  await check("turns:\n  - - flood: { bytes: 100MB, to: one-line }\n    - claim\n", ["--no-stream-agent-output"]);
}, 180_000);

it("100 MB on standard error pass without being held (R-85)", async () => {
  await check("turns:\n  - - flood: { bytes: 100MB, to: stderr }\n    - claim\n");
}, 180_000);
