import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { ProcessOrder, Processes, RunningProcess } from "../../src/shell/ports.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { patient } from "../patience.ts";

/** Long enough for a program to start on a busy machine. */
const waitMs = 20_000;

/** More than any pipe holds, less than a flood. */
const saidCharsMax = 16_000_000;

let count = 0;

/** A program of `programs/` under the real port, and what it has said so far. */
export type StartedProgram = {
  process: RunningProcess;
  turnMarker: string;
  said(): string;
  /** Waits until standard output holds a whole line and gives the first one. */
  firstLine(): Promise<string>;
};

/** A marker no other test uses. */
export function newMarker(): string {
  count += 1;
  return `test-${process.pid}-${count}-${Date.now()}`;
}

/** An order for a program of `programs/`, by its file name. */
export function orderOf(name: string, overrides: Partial<ProcessOrder> = {}, parameters: string[] = []): ProcessOrder {
  const path = join(import.meta.dirname, "programs", name);
  const turnMarker = overrides.turnMarker ?? newMarker();
  return {
    purpose: "tool",
    argv: [name.endsWith(".mjs") ? process.execPath : "sh", path, ...parameters],
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] ?? "", RALPH_TURN: turnMarker },
    stdin: null,
    idleMs: null,
    wallMs: null,
    killGraceMs: 200,
    onStdout: () => undefined,
    onStderr: () => undefined,
    ...overrides,
    turnMarker,
  };
}

/** Starts a program of `programs/` and collects its standard output. */
export async function startProgram(
  name: string,
  overrides: Partial<ProcessOrder> = {},
  options: { processes?: Processes; parameters?: string[] } = {},
): Promise<StartedProgram> {
  let text = "";
  const onStdout = (chunk: Uint8Array): Promise<void> | undefined => {
    if (text.length < saidCharsMax) text += Buffer.from(chunk).toString();
    return overrides.onStdout?.(chunk);
  };
  const order = orderOf(name, { ...overrides, onStdout }, options.parameters);
  const start = await (options.processes ?? createProcesses()).start(order);
  if (!start.isStarted) throw new Error(start.message);
  onTestFinished(async () => {
    start.process.cut();
    await start.process.ended;
  });
  return {
    process: start.process,
    turnMarker: order.turnMarker,
    said: () => text,
    firstLine: async () => {
      await eventually(() => expect(text).toContain("\n"));
      return text.slice(0, text.indexOf("\n"));
    },
  };
}

/** Waits for a fact, with a bound. */
export async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: patient(waitMs), interval: 5 });
}

/** The living processes whose environment carries the marker, found without the code under test. */
export function carriersOf(turnMarker: string): number[] {
  const setting = `RALPH_TURN=${turnMarker}`;
  if (process.platform !== "linux") {
    const lines = execFileSync("ps", ["-axEww", "-o", "pid=,command="], { encoding: "utf8" }).split("\n");
    return lines.filter((line) => line.includes(setting)).map((line) => Number.parseInt(line, 10));
  }
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && readQuietly(`/proc/${name}/environ`).split("\0").includes(setting))
    .map(Number);
}

/** Whether a process of that number is there and no zombie. */
export function isThere(pid: number): boolean {
  if (process.platform !== "linux") return canSignal(pid);
  const stat = readQuietly(`/proc/${pid}/stat`);
  return stat !== "" && !stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
}

function canSignal(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
