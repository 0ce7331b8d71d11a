import { isAbsolute, normalize, sep } from "node:path";
import type { TodoItem } from "../../core/agents/agent-event.ts";
import { noSpend, type Spend } from "../../core/agents/spend.ts";
import { closest } from "../../core/text/closest.ts";
import type { ResetTime, SimStep } from "./sim-step.ts";
import { openOptions, type RawOptions, scriptError, type StepOptions } from "./step-options.ts";

/** What a turn costs when its script does not say: small, and not nothing. */
export const defaultSpend: Spend = { ...noSpend, usd: 0.01, inputTokens: 1000, outputTokens: 50 };

/** Every step by name: the option a bare value stands for, and how its options become a step. */
const stepReaders: Readonly<Record<string, { main: string | null; read: (options: StepOptions) => SimStep }>> = {
  say: { main: "text", read: (options) => say(options, options.text("text", null)) },
  claim: { main: "text", read: (options) => say(options, tag(options, options.text("text", "DONE"))) },
  lie: { main: "text", read: (options) => say(options, tag(options, options.text("text", "DONE"))) },
  mention: { main: "text", read: readMention },
  block: { main: "reason", read: (options) => say(options, tag(options, `BLOCKED: ${options.text("reason", null)}`)) },
  decide: {
    main: "question",
    read: (options) => say(options, tag(options, `DECIDE: ${options.text("question", null)}`)),
  },
  think: { main: "text", read: (options) => ({ step: "think", text: options.text("text", null) }) },
  echo: { main: null, read: () => ({ step: "echo" }) },
  edit: { main: "file", read: readEdit },
  run: { main: "command", read: readRun },
  deny: { main: "file", read: (options) => ({ step: "deny", file: readFile(options) }) },
  todo: { main: "items", read: readTodo },
  subagent: { main: "text", read: readSubagent },
  garbage: {
    main: "text",
    read: (options) => ({ step: "garbage", text: options.text("text", '{"type":"assistant","mess') }),
  },
  unknown: { main: null, read: () => ({ step: "unknown" }) },
  usage: { main: "tokens", read: readUsage },
  wait: { main: "ms", read: (options) => ({ step: "wait", ms: options.durationMs("ms", null) }) },
  hang: { main: "until", read: readHang },
  linger: { main: "ms", read: readLinger },
  flood: { main: "bytes", read: readFlood },
  child: { main: "seconds", read: readChild },
  "ignore-sigterm": { main: null, read: () => ({ step: "ignore-sigterm" }) },
  "close-stdout": { main: null, read: () => ({ step: "close-stdout" }) },
  result: {
    main: "text",
    read: (options) => ({ step: "result", text: options.has("text") ? options.text("text", null) : null }),
  },
  fail: { main: "kind", read: readFail },
  exit: { main: "code", read: (options) => ({ step: "exit", code: readCode(options, null) }) },
  crash: { main: "code", read: readCrash },
};

/** The names of all steps, for messages and for finding the step among its options. */
export const stepNames: readonly string[] = Object.keys(stepReaders);

/** The option that a bare value of this step stands for; null when it takes none. */
export function mainOption(step: string): string | null {
  return Object.hasOwn(stepReaders, step) ? (stepReaders[step]?.main ?? null) : null;
}

/** Reads one step. Throws a RalphError that names file, line and remedy. */
export function readStep(raw: RawOptions): SimStep {
  const reader = Object.hasOwn(stepReaders, raw.step) ? stepReaders[raw.step] : undefined;
  if (reader === undefined) {
    const nearest = closest(raw.step, stepNames);
    const hint = nearest === null ? `Steps are: ${stepNames.join(", ")}.` : `Did you mean "${nearest}"?`;
    throw scriptError(raw.place, `there is no step "${raw.step}"`, hint);
  }
  const options = openOptions(raw);
  const step = reader.read(options);
  options.done();
  return step;
}

function say(options: StepOptions, text: string): SimStep {
  const chunks = options.count("chunks", 1);
  return { step: "say", text, chunks: Math.max(1, chunks) };
}

function tag(options: StepOptions, text: string): string {
  const name = options.oneOf("tag", ["promise", "response"], "promise");
  return `<${name}>${text}</${name}>`;
}

function readMention(options: StepOptions): SimStep {
  return say(options, `I will not output ${tag(options, options.text("text", "DONE"))} before everything is verified.`);
}

function readFile(options: StepOptions): string {
  const file = options.text("file", null);
  const path = normalize(file);
  if (file === "" || isAbsolute(path) || path === ".." || path.startsWith(`..${sep}`))
    options.fail("file", "a path inside the working directory");
  return path;
}

function readEdit(options: StepOptions): SimStep {
  const file = readFile(options);
  if (options.has("content") && options.has("find"))
    options.fail("find", 'either "content" or "find" and "replace", not both');
  if (options.has("find")) {
    const find = options.text("find", null);
    if (find === "") options.fail("find", "a text that is not empty");
    return { step: "edit", file, change: { kind: "replace", find, replace: options.text("replace", null) } };
  }
  return { step: "edit", file, change: { kind: "content", content: options.text("content", null) } };
}

function readRun(options: StepOptions): SimStep {
  // Ten minutes is the longest that agents let a shell tool run.
  return { step: "run", command: options.text("command", null), timeoutMs: options.durationMs("timeout", 600_000) };
}

function readTodo(options: StepOptions): SimStep {
  const items = options.raw("items");
  if (!Array.isArray(items)) return options.fail("items", "a list of texts, or of { text, status }");
  return { step: "todo", items: items.map((item: unknown) => readTodoItem(options, item)) };
}

function readTodoItem(options: StepOptions, item: unknown): TodoItem {
  if (typeof item === "string") return { text: item, status: "pending" };
  const { text, status = "pending" } = (item ?? {}) as { text?: unknown; status?: unknown };
  const known = (["pending", "active", "done"] as const).find((name) => name === status);
  if (typeof text !== "string" || known === undefined)
    return options.fail("items", "texts, or { text, status: pending | active | done }");
  return { text, status: known };
}

function readSubagent(options: StepOptions): SimStep {
  return { step: "subagent", text: options.text("text", "The sub-agent is finished.\n<promise>DONE</promise>") };
}

function readUsage(options: StepOptions): SimStep {
  const isPriceless = options.raw("usd") === null;
  const spend: Spend = {
    usd: isPriceless ? null : options.amount("usd", 0),
    inputTokens: options.count("tokens", 0) + options.count("inputTokens", 0),
    outputTokens: options.count("outputTokens", 0),
    cacheReadTokens: options.count("cacheReadTokens", 0),
    cacheWriteTokens: options.count("cacheWriteTokens", 0),
  };
  return { step: "usage", spend };
}

function readHang(options: StepOptions): SimStep {
  options.oneOf("until", ["killed"], "killed");
  return { step: "hang" };
}

function readLinger(options: StepOptions): SimStep {
  return { step: "linger", ms: options.has("ms") ? options.durationMs("ms", null) : null };
}

function readFlood(options: StepOptions): SimStep {
  const to = options.oneOf("to", ["stdout", "stderr", "one-line"], "stdout");
  return { step: "flood", bytes: options.bytes("bytes"), to };
}

function readChild(options: StepOptions): SimStep {
  return {
    step: "child",
    // Long enough to be found by any check, short enough that a forgotten one goes away.
    seconds: options.count("seconds", 600),
    isOwnSession: options.isOn("setsid"),
    ignoresTerm: options.isOn("ignoreTerm"),
    holdsOutput: options.isOn("holdOutput"),
  };
}

function readFail(options: StepOptions): SimStep {
  const kind = options.oneOf("kind", ["authentication", "model", "limit", "other"], "other");
  return { step: "fail", kind, message: options.text("message", failMessages[kind]), reset: readReset(options) };
}

const failMessages = {
  authentication: "Scripted failure: the key was refused",
  model: "Scripted failure: there is no such model",
  limit: "Scripted failure: the usage limit is reached",
  other: "Scripted failure",
};

function readReset(options: StepOptions): ResetTime | null {
  if (options.has("resetIn")) return { kind: "in", ms: options.durationMs("resetIn", null) };
  if (!options.has("resetAt")) return null;
  const value = options.raw("resetAt");
  const ms = typeof value === "number" ? value : Date.parse(String(value));
  return Number.isFinite(ms) ? { kind: "at", ms } : options.fail("resetAt", "an ISO time or ms since the epoch");
}

function readCode(options: StepOptions, fallback: number | null): number {
  const code = options.count("code", fallback);
  return code > 255 ? options.fail("code", "an exit code from 0 to 255") : code;
}

const crashSignals = ["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "SIGABRT", "SIGSEGV"] as const;

function readCrash(options: StepOptions): SimStep {
  const value = options.raw("code");
  const isSignal = typeof value === "string" || options.has("signal");
  if (!isSignal) return { step: "crash", code: readCode(options, 1), signal: null };
  const name = typeof value === "string" ? "code" : "signal";
  return { step: "crash", code: 1, signal: options.oneOf(name, crashSignals, "SIGKILL") };
}
