import { spawnSync } from "node:child_process";
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { findOldNode, oldestProgramNode } from "../scripts/old-nodes.ts";
import type { Bench } from "./main.ts";
import { type Measure, median } from "./measure.ts";
import type { Curve } from "./plot.ts";
import { benchEnvironment } from "./time-process.ts";

/** Hooks by the recorded input they are given. */
const recorded = {
  "session-start": "SessionStart-startup",
  "user-prompt-submit": "UserPromptSubmit",
  "pre-tool-use": "PreToolUse-Bash",
  "post-tool-use": "PostToolUse-Bash",
  stop: "Stop-first",
  "session-end": "SessionEnd",
} as const;

type HookName = keyof typeof recorded;
type Call = { hook: HookName; fields?: Record<string, unknown>; env?: Record<string, string>; isLooping?: boolean };
type Row = { title: string; call: Call | null; atMost: number | null; transcript?: Transcript };
/** What a stop reads: growth curves show its size. */
type Transcript = { megabytes: number; hasTimes: boolean };
type Timed = { node: string; words: string[]; input: string; env: Record<string, string> };
type Took = { cpuMs: number; wallMs: number };

const session = "11111111-1111-4111-8111-111111111111";

/** Every hook against an empty program of the same Node, without a loop and with one, and stops on short and huge records. */
export function measureHooks(bench: Bench): Promise<Measure[]> {
  const measures = nodes().flatMap(({ name, node }) => measureOn(bench, name, node));
  return Promise.resolve(measures);
}

/** The older Nodes that hosts still use, where `npm run setup:nodes` has installed them, and this one. */
function nodes(): { name: string; node: string }[] {
  const found = ["20.0.0", oldestProgramNode].flatMap((version) => {
    const node = findOldNode(version);
    return node === null ? [] : [{ name: `Node ${version}`, node }];
  });
  return [...found, { name: `Node ${process.versions.node}`, node: process.execPath }];
}

function measureOn({ root, folder, isQuick, say }: Bench, name: string, node: string): Measure[] {
  const place = join(folder, name.replaceAll(/\W+/g, "-"));
  mkdirSync(join(place, "project"), { recursive: true });
  const rows = listRows(place, isQuick ? 50 : 200);
  const programs = rows.map((row, index) => prepare({ root, folder: place, node, index }, row));
  const took = rows.map((): Took[] => []);
  const rounds = isQuick ? 11 : 41;
  say(`hooks: ${rounds} rounds on ${name}`);
  for (let round = -2; round < rounds; round += 1)
    programs.forEach((program, index) => {
      const each = time(program, place);
      // The first rounds fill the caches of the disk; a loop's first stop reads what was said before it.
      if (round >= 0) took[index]?.push(each);
    });
  const cpu = took.map((each) => median(each.map(({ cpuMs }) => cpuMs)));
  const wall = took.map((each) => median(each.map(({ wallMs }) => wallMs)));
  return rows.slice(1).map(({ title, atMost, transcript }, index): Measure => {
    const [ours = 0, plain = 1] = [cpu[index + 1], cpu[0]];
    const ratio = ((wall[index + 1] ?? 0) / (wall[0] ?? 1)).toFixed(2);
    return {
      name: `CPU of hook ${title}, ${name} (wall ${ratio} ×)`,
      ours: `${ours.toFixed(1)} ms`,
      plain: `${plain.toFixed(1)} ms`,
      value: ours / plain,
      unit: "×",
      target: atMost === null ? null : { atMost },
      points:
        transcript === undefined ? [] : [{ curve: stopCurve(name, transcript), x: transcript.megabytes, y: ours }],
    };
  });
}

function listRows(folder: string, longMb: number): Row[] {
  const looping = { isLooping: true, fields: { session_id: session } };
  const inLoop = Object.keys(recorded).map((name) => ({ title: `${name}, with a loop`, name: name as HookName }));
  const stopOn = (path: string): Call => ({
    hook: "stop",
    isLooping: true,
    fields: { session_id: session, transcript_path: path },
  });
  const long = [longMb / 100, longMb / 10, longMb].flatMap((megabytes) =>
    [true, false].map((hasTimes): Row => {
      const path = writeTranscript(folder, { bytes: megabytes * 1_000_000, hasTimes });
      const title = `stop, with a loop, ${megabytes} MB of lines with${hasTimes ? "" : "out"} times`;
      return { title, call: stopOn(path), atMost: 1.4, transcript: { megabytes, hasTimes } };
    }),
  );
  return [
    { title: "empty", call: null, atMost: null },
    ...Object.keys(recorded).map((name) => ({ title: name, call: { hook: name as HookName }, atMost: 1.2 })),
    {
      title: "pre-tool-use, guard at work",
      call: { hook: "pre-tool-use", env: { RALPH_RUN_ID: "bench" } },
      atMost: 1.4,
    },
    ...inLoop.map(({ title, name }) => ({ title, call: { ...looping, hook: name }, atMost: 1.4 })),
    ...long,
  ];
}

function stopCurve(node: string, { hasTimes }: Transcript): Curve {
  const lines = `lines with${hasTimes ? "" : "out"} times`;
  return {
    title: `CPU of the stop of a loop, by the size of the transcript (${node}, ${lines})`,
    of: "MB",
    unit: "ms",
  };
}

type Preparing = { root: string; folder: string; node: string; index: number };

/** Each row has a state of its own, with the hooks compiled ahead as `ralph plugin install` does it, and a loop where it needs one. */
function prepare({ root, folder, node, index }: Preparing, { call }: Row): Timed {
  const env = { ...benchEnvironment(folder), RALPH_STATE_HOME: join(folder, `state-${index}`), ...call?.env };
  if (call === null) {
    writeFileSync(join(folder, "empty.cjs"), "");
    return { node, words: [join(folder, "empty.cjs")], input: "", env };
  }
  const compiled = join(folder, "compiled");
  const compiling = { ...env, RALPH_STATE_HOME: compiled };
  if (index === 1) time({ node, words: [join(root, "dist", "hook-compile.cjs")], input: "", env: compiling }, folder);
  cpSync(compiled, env.RALPH_STATE_HOME, { recursive: true });
  const common = {
    cwd: join(folder, "project"),
    transcript_path: writeTranscript(folder, { bytes: 13_000, hasTimes: true }),
    ...call.fields,
  };
  const timed = (hook: HookName, fields: Record<string, unknown>): Timed => ({
    node,
    words: [join(root, "bin", "ralph.js"), "hook", hook],
    input: inputOf(root, recorded[hook], { ...common, ...fields }),
    env,
  });
  if (call.isLooping === true)
    time(timed("user-prompt-submit", { prompt: "/ralph Go on --max-iterations 1000" }), folder);
  return timed(call.hook, {});
}

/** What the shell says of a program is exact to a millisecond; the kernel tells us the time of children in steps of ten. */
const timing = 'TIMEFORMAT="%3U %3S"; { time "$@" > /dev/null 2> /dev/null; }';

function time({ node, words, input, env }: Timed, cwd: string): Took {
  const startedAt = performance.now();
  const argv = ["-c", timing, "bash", node, ...words];
  const end = spawnSync("bash", argv, { cwd, env, input, stdio: ["pipe", "ignore", "pipe"], encoding: "utf8" });
  const wallMs = performance.now() - startedAt;
  // 2: the stop of a loop is blocked.
  if (end.status !== 0 && end.status !== 2) throw new Error(`${words.join(" ")} ended with ${end.status}`);
  const [user, system] = end.stderr.trim().split(" ").map(Number);
  return { cpuMs: ((user ?? Number.NaN) + (system ?? Number.NaN)) * 1000, wallMs };
}

function inputOf(root: string, name: string, fields: Record<string, unknown>): string {
  const path = join(root, "tests", "fixtures", "hooks", "claude", `${name}.json`);
  return JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), ...fields });
}

/** A transcript of about so many bytes that ends with an answer and its usage; lines of a host have a time and its version. */
function writeTranscript(folder: string, { bytes, hasTimes }: { bytes: number; hasTimes: boolean }): string {
  const path = join(folder, `transcript-${bytes}-${hasTimes ? "timed" : "untimed"}.jsonl`);
  const more = { version: "2.1.325", ...(hasTimes ? { timestamp: "2026-01-01T00:00:00.000Z" } : {}) };
  const line = `${JSON.stringify({ type: "user", ...more, message: { role: "user", content: "x".repeat(4000) } })}\n`;
  const usage = { input_tokens: 1000, output_tokens: 10 };
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; written += line.length * 100)
    writeSync(file, line.repeat(Math.min(100, Math.ceil((bytes - written) / line.length))));
  writeSync(file, `${JSON.stringify({ type: "assistant", ...more, message: { id: "m", content: [], usage } })}\n`);
  closeSync(file);
  return path;
}
