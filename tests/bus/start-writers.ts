import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { BusMessage } from "../../src/core/bus/message.ts";

export type WriterOptions = { path: string; name: string; count: number; rotateBytes?: number; paddingBytes?: number };

/** Starts a process that posts messages. It is killed when the test ends before it. */
export function startWriter(options: WriterOptions): { child: ChildProcess; ended: Promise<number | null> } {
  const { path, name, count, rotateBytes = 0, paddingBytes = 0 } = options;
  const program = join(import.meta.dirname, "bus-writer.ts");
  const child = spawn(
    process.execPath,
    [program, path, name, String(count), String(rotateBytes), String(paddingBytes)],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  return { child, ended };
}

/** Runs writers named `w0`, `w1` … at once, to their end. */
export async function runWriters(writers: number, options: Omit<WriterOptions, "name">): Promise<void> {
  const started = Array.from({ length: writers }, (_, index) => startWriter({ ...options, name: `w${index}` }));
  const codes = await Promise.all(started.map(({ ended }) => ended));
  if (codes.some((code) => code !== 0)) throw new Error(`a writer ended with ${codes.join(", ")}`);
}

/** The numbers each writer's messages have, in the order of the bus. */
export function numbersByWriter(messages: readonly BusMessage[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const { body } of messages) {
    const [name = "", number = ""] = (body.split("\n")[0] ?? "").split(" ");
    numbers.set(name, [...(numbers.get(name) ?? []), Number(number)]);
  }
  return numbers;
}

/** What `numbersByWriter` gives when nothing is missing, doubled or out of order. */
export function allNumbers(writers: number, count: number): Map<string, number[]> {
  return new Map(
    Array.from({ length: writers }, (_, index) => [`w${index}`, Array.from({ length: count }, (_each, at) => at)]),
  );
}
