import { fstatSync, readSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { thrownText } from "../../core/text/thrown-text.ts";
import { claudeHost } from "./claude/claude-host.ts";
import {
  type HookName,
  hookNames,
  type HookOutput,
  type Host,
  type HostEvent,
} from "../../app/session/event/host-event.ts";
import { type HookOptions, type HookTools, openTools } from "../../app/session/event/hook-tools.ts";
import { answerFault, performHook } from "../../app/session/perform-hook.ts";

/** Every host whose sessions we live in. */
const hosts: readonly Host[] = [claudeHost];

/** What one event of a host may say; a tool's answer can hold a whole file. */
const inputBytesMax = 64 * 1024 * 1024;

/** Longer than any verification that is worth waiting for (300 s). */
const timeoutSecondsDefault = 600;

type HookCall = { hook: HookName; hosts: readonly Host[]; options: HookOptions };

/**
 * Runs one hook: JSON on stdin, the host's answer on stdout. After a fault of ralph the host continues, and the fault is written to the
 * log; only the guard of a run without a sandbox refuses what it could not judge, and a stop that should have been judged is
 * blocked once.
 */
export async function runHook(words: readonly string[]): Promise<void> {
  const order = readWords(words);
  // Asking for a terminal loads a part of Node that takes longer than the hook.
  if (typeof order === "string" || (fstatSync(0).isCharacterDevice() && isatty(0))) {
    const problem = typeof order === "string" ? order : "This is called by a host, which writes JSON to stdin.";
    // Not 2: hosts take that for a refusal, and a wrong word in their settings must not stop their sessions.
    return print({ stdout: "", stderr: `${problem}\nUsage: ${usage}\n`, exitCode: 1 });
  }
  print(await answer(order, readInput));
}

/** The answer of one hook to an input; a word that is not understood is answered like a fault. */
export async function answerHook(words: readonly string[], read: () => string): Promise<HookOutput> {
  const order = readWords(words);
  if (typeof order === "string") return { stdout: "", stderr: order, exitCode: 1 };
  return answer(order, read);
}

const usage = `ralph hook ${hookNames.join("|")} [--host NAME] [--for run] [--guard always] [--timeout SECONDS]`;

async function answer({ hook, hosts: known, options }: HookCall, read: () => string): Promise<HookOutput> {
  const [first = claudeHost] = known;
  const tools = { ...openTools(first, options), ending: untilToldToEnd() };
  let event: HostEvent | null = null;
  try {
    const fields = readFields(read());
    for (const host of known) {
      event = host.read(fields, process.env);
      if (event !== null) return host.write(hook, await performHook(hook, event, { ...tools, host }), event);
    }
    throw new Error("the input is of no host we know");
  } catch (error) {
    const text = thrownText(error);
    tools.log({ level: "error", text: `[hook] ${hook} met a fault of its own`, fields: { error: text } });
    return first.write(hook, answerFault(hook, event, tools, text), event);
  }
}

/**
 * A hook that is told to end ends what it started before; a second signal does not wait for that. Both parts are made when they are
 * first asked for: what Node loads for them takes as long as the rest of a hook that starts nothing.
 */
function untilToldToEnd(): NonNullable<HookTools["ending"]> {
  let isTold = false;
  let told: AbortController | null = null;
  const tell = (): void => {
    isTold = true;
    told?.abort();
  };
  return {
    listen: () => {
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.once(signal, tell);
    },
    signal: () => {
      told ??= new AbortController();
      if (isTold) told.abort();
      return told.signal;
    },
  };
}

function readWords(words: readonly string[]): HookCall | string {
  const [name, ...rest] = words;
  const hook = hookNames.find((known) => known === name);
  if (hook === undefined) return `There is no hook ${JSON.stringify(name ?? "")}.`;
  const options = { isGuardAlways: false, isForRun: false, timeoutMs: timeoutSecondsDefault * 1000 };
  let chosen = hosts;
  for (let at = 0; at < rest.length; at += 2) {
    const [option, value = ""] = [rest[at], rest[at + 1]];
    if (option === "--host") chosen = hosts.filter((host) => host.name === value);
    else if (option === "--guard") options.isGuardAlways = value === "always";
    else if (option === "--for" && value === "run") options.isForRun = true;
    else if (option === "--timeout" && Number(value) > 0) options.timeoutMs = Number(value) * 1000;
    else return `${JSON.stringify(option)} ${JSON.stringify(value)} is not understood.`;
  }
  if (chosen.length === 0) return `No such host; known are ${hosts.map((host) => host.name).join(", ")}.`;
  return { hook, hosts: chosen, options };
}

function readFields(input: string): Record<string, unknown> {
  const value: unknown = JSON.parse(input);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("the input is not an object");
  return { ...value };
}

/** Read in place: a stream would load a third of Node's own modules. */
function readInput(): string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (let waits = 0; ;) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const length = readChunk(chunk);
    if (length === 0) return Buffer.concat(chunks).toString("utf8");
    if (length === null) {
      waits += 1;
      if (waits > waitsMax) throw new Error("the input did not end");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
      continue;
    }
    bytes += length;
    if (bytes > inputBytesMax) throw new Error(`the input is larger than ${inputBytesMax} bytes`);
    chunks.push(chunk.subarray(0, length));
  }
}

/** A pipe that does not block is asked again: 10 s in all. */
const waitMs = 5;
const waitsMax = 2000;

function readChunk(chunk: Buffer): number | null {
  try {
    return readSync(0, chunk, 0, chunk.length, null);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "EAGAIN") return null;
    if (code === "EOF") return 0;
    throw error;
  }
}

/** Written in place and whole, since the process may be ended right after it. */
function print({ stdout, stderr, exitCode }: HookOutput): void {
  writeAll(1, stdout);
  writeAll(2, stderr);
  process.exitCode = exitCode;
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0, waits = 0; at < bytes.length && waits <= waitsMax;) {
    try {
      at += writeSync(file, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return;
      waits += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}
