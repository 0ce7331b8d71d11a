import { readFileSync } from "node:fs";
import { claudeAdapter } from "../src/shell/agents/claude/claude-adapter.ts";
import { createTurnReader } from "../src/shell/streams/turn-reader.ts";
import { createDisk } from "../src/shell/lib/disk.ts";
import type { ProcessOrder } from "../src/shell/ports.ts";
import { createProcesses } from "../src/shell/processes/processes.ts";
import { keepMemoryFlat } from "../src/surfaces/cli/terminal/keep-memory-flat.ts";

/** What one reading of the whole stream cost. */
export type StreamCost = { bytes: number; durationMs: number; residentBytes: number };

/** Takes the stream as it comes and says at the end how many bytes that were. */
type Taker = { take: ProcessOrder["onStdout"]; end(): Promise<number> };

/** The driver's limit for the raw stream of a turn. */
const logBytesMax = 64 * 1024 * 1024;

const newline = 10;

const [mode = "", streamPath = "", logPath = ""] = process.argv.slice(2);
const takers: Record<string, () => Taker> = { plain: takePlain, lean: takeLean, reader: () => takeLogged(logPath) };
const taker = takers[mode]?.() ?? takePlain();
const startedAt = performance.now();
await pipeFrom(streamPath, taker.take);
const bytes = await taker.end();
const durationMs = performance.now() - startedAt;
process.stdout.write(`bytes=${bytes} durationMs=${durationMs} residentBytes=${peakBytes()}`);

/** The usual way: decode, cut into lines, parse each. */
function takePlain(): Taker {
  const decoder = new TextDecoder();
  let taken = 0;
  let rest = "";
  return {
    take(chunk) {
      taken += chunk.length;
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) JSON.parse(line);
      return undefined;
    },
    end: () => Promise.resolve(taken),
  };
}

/** The least that any reader can do: find the newlines among the bytes, decode and parse what lies between. */
function takeLean(): Taker {
  let taken = 0;
  let rest = Buffer.alloc(0);
  return {
    take(chunk) {
      taken += chunk.length;
      const whole = Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = whole.indexOf(newline); end !== -1; end = whole.indexOf(newline, start)) {
        JSON.parse(whole.toString("utf8", start, end));
        start = end + 1;
      }
      rest = Buffer.from(whole.subarray(start));
      return undefined;
    },
    end: () => Promise.resolve(taken),
  };
}

/** As the driver does it: every chunk to the reader and to the raw log, which may hold the stream back. */
function takeLogged(path: string): Taker {
  keepMemoryFlat();
  const reader = createTurnReader({
    adapter: claudeAdapter,
    flags: [],
    prompt: "Go on.",
    expected: "DONE",
    placement: "own-sentence",
    signals: ["promise", "response"],
    onEvent: () => {},
  });
  const log = createDisk().openLog(path, logBytesMax);
  return {
    take(chunk) {
      reader.push(chunk);
      reader.progress();
      return log.write(chunk);
    },
    async end() {
      const { problem } = await log.close();
      if (problem !== null) throw new Error(problem);
      return reader.end().output.bytes;
    },
  };
}

/** Both read what a program writes, through the pipe an agent would write to. */
async function pipeFrom(path: string, take: ProcessOrder["onStdout"]): Promise<void> {
  const start = await createProcesses().start({
    purpose: "agent",
    argv: ["cat", path],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: null,
    turnMarker: "bench",
    idleMs: null,
    wallMs: null,
    killGraceMs: 1000,
    onStdout: take,
    onStderr: () => undefined,
  });
  if (!start.isStarted) throw new Error(start.message);
  await start.process.ended;
}

/** On Linux `maxRSS` may still show the parent's memory from before `exec`; `VmHWM` is this program's own. */
function peakBytes(): number {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  const peak = /VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
  return Number(peak?.[1]) * 1024;
}
