import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { readAll } from "../src/shell/bus/read-bus.ts";
import type { Bench } from "./main.ts";
import { type Measure, median } from "./measure.ts";
import { createDisk } from "../src/shell/lib/disk.ts";

const files = createDisk();

const writers = 10;
const messagesEach = 1000;

/** Messages a second of ten processes on one bus against a plain loop of `appendFile`, and how fast they are read. */
export async function measureBus({ folder, isQuick, say }: Bench): Promise<Measure[]> {
  const rounds = isQuick ? 3 : 7;
  const scratch = join(folder, "bus");
  mkdirSync(scratch, { recursive: true });
  say(`bus: ${rounds} rounds of ${writers} × ${messagesEach} messages`);
  const [ours, plain, reading]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await writeMs("plain", join(scratch, `plain-${round}.md`)));
    const bus = join(scratch, `MESSAGE-BUS-${round}.md`);
    ours.push(await writeMs("bus", bus));
    const startedAt = performance.now();
    const count = readAll(bus, { files }).length;
    reading.push(performance.now() - startedAt);
    if (count !== writers * messagesEach) throw new Error(`the bus has ${count} messages`);
  }
  const perSecond = (ms: number): number => (writers * messagesEach * 1000) / ms;
  const [oursRate, plainRate] = [perSecond(median(ours)), perSecond(median(plain))];
  return [
    {
      name: `bus: ${writers} processes × ${messagesEach} messages`,
      ours: `${oursRate.toFixed(0)}/s`,
      plain: `${plainRate.toFixed(0)}/s`,
      value: oursRate / plainRate,
      unit: "×",
      target: { atLeast: 1 },
    },
    {
      name: "bus: reading them against writing them",
      ours: `${perSecond(median(reading)).toFixed(0)}/s`,
      plain: `${oursRate.toFixed(0)}/s`,
      value: perSecond(median(reading)) / oursRate,
      unit: "×",
      target: null,
    },
  ];
}

/** From the moment all are told to begin until the last has written its messages. */
async function writeMs(how: "plain" | "bus", path: string): Promise<number> {
  const program = join(import.meta.dirname, "write-messages.ts");
  const children = Array.from({ length: writers }, () =>
    spawn(process.execPath, [program, how, path, String(messagesEach)], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  try {
    await Promise.all(children.map((child) => says(child, "ready")));
    const startedAt = performance.now();
    const done = Promise.all(children.map((child) => says(child, "done")));
    for (const child of children) child.stdin.write("go\n");
    await done;
    return performance.now() - startedAt;
  } finally {
    for (const child of children) child.kill();
  }
}

function says(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes(word)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`a writer ended with ${code} before it said ${word}`)));
  });
}
