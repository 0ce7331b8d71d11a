import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scratch } from "./scratch.ts";

/** How a `ralph` process ended, with everything it printed. */
export type EndedRalph = { exitCode: number | null; signal: string | null; stdout: string; stderr: string };

export type RalphCall = {
  scratch: Scratch;
  words: readonly string[];
  environment: Readonly<Record<string, string>>;
  timeoutMs: number;
};

/** Runs the built program in the scratch project. Past `timeoutMs` it and everything it started is killed. */
export async function runRalph({ scratch, words, environment, timeoutMs }: RalphCall): Promise<EndedRalph> {
  const child = spawn(process.execPath, [launcher, ...words], {
    cwd: scratch.project,
    env: { ...scratch.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  const timer = setTimeout(() => {
    printed.stderr += `\n(killed by the test after ${timeoutMs} ms)\n`;
    child.kill("SIGKILL");
    endLivingIn(scratch);
  }, timeoutMs);
  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once("error", reject).once("close", (...ended) => resolve(ended));
  });
  clearTimeout(timer);
  return { exitCode, signal, ...printed };
}

const launcher = join(import.meta.dirname, "..", "..", "bin", "ralph.js");

/** A living process that was started, directly or not, with the scratch's environment. */
export type LivingProcess = { pid: number; commandLine: string; hasRunMarker: boolean };

/**
 * Processes left in the scratch. Its folder names are unique and stand in every environment that descends from it, so
 * this also finds what left its process group and its session. Linux only: elsewhere there is no `/proc` to read.
 */
export function livingIn(scratch: Scratch): LivingProcess[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const environment = readOrEmpty(`/proc/${name}/environ`);
      if (!environment.includes(`=${scratch.root}`)) return [];
      const commandLine = readOrEmpty(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
      // An ended process that nobody has waited for yet has no command line.
      if (commandLine === "") return [];
      return [{ pid: Number(name), commandLine, hasRunMarker: environment.includes("RALPH_RUN_ID=") }];
    });
}

/** Kills what `livingIn` finds, so that a failed test leaves nothing behind either. */
export function endLivingIn(scratch: Scratch): void {
  for (const { pid } of livingIn(scratch)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself meanwhile.
    }
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process ended between listing and reading, or belongs to somebody else.
    return "";
  }
}
