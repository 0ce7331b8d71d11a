import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./main.ts";
import { type Measure, median } from "./measure.ts";
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

type Timed = { title: string; words: string[]; input: string; env: Record<string, string> };

/** Every hook against an empty program of the same Node, and the monitor on a short and on a huge transcript. */
export function measureHooks({ root, folder, isQuick, say }: Bench): Promise<Measure[]> {
  const env = benchEnvironment(folder);
  const empty = join(folder, "empty.cjs");
  writeFileSync(empty, "");
  const [short, long] = [writeTranscript(folder, 13_000), writeTranscript(folder, isQuick ? 50_000_000 : 200_000_000)];
  const run = (hook: keyof typeof recorded, transcript: string): Omit<Timed, "title" | "env"> => ({
    words: [join(root, "bin", "ralph.js"), "hook", hook],
    input: inputOf(root, recorded[hook], { cwd: folder, transcript_path: transcript }),
  });
  const programs: Timed[] = [
    { title: "empty", words: [empty], input: "", env },
    ...Object.keys(recorded).map((name) => {
      const hook = name as keyof typeof recorded;
      return { title: `hook ${hook}`, ...run(hook, short), env };
    }),
    { title: "hook pre-tool-use, guarded", ...run("pre-tool-use", short), env: { ...env, RALPH_RUN_ID: "bench" } },
    { title: `hook post-tool-use, ${isQuick ? 50 : 200} MB transcript`, ...run("post-tool-use", long), env },
  ];
  const times = programs.map((): number[] => []);
  const rounds = isQuick ? 11 : 41;
  say(`hooks: ${rounds} rounds`);
  for (let round = -2; round < rounds; round += 1)
    programs.forEach((program, index) => {
      const durationMs = time(program, folder);
      if (round >= 0) times[index]?.push(durationMs);
    });
  const [emptyMs = 1, ...others] = times.map(median);
  const measures = others.map((ms, index): Measure => ({
    name: programs[index + 1]?.title ?? "",
    ours: `${ms.toFixed(1)} ms`,
    plain: `${emptyMs.toFixed(1)} ms`,
    value: ms / emptyMs,
    unit: "×",
    target: { atMost: 1.3 },
  }));
  return Promise.resolve(measures);
}

function time({ words, input, env }: Timed, cwd: string): number {
  const startedAt = performance.now();
  const end = spawnSync(process.execPath, words, { cwd, env, input, stdio: ["pipe", "ignore", "pipe"] });
  const durationMs = performance.now() - startedAt;
  if (end.status !== 0) throw new Error(`${words.join(" ")} ended with ${end.status}: ${end.stderr.toString()}`);
  return durationMs;
}

function inputOf(root: string, name: string, fields: Record<string, unknown>): string {
  const path = join(root, "tests", "fixtures", "hooks", "claude", `${name}.json`);
  return JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), ...fields });
}

/** A transcript of about so many bytes that ends with an answer and its usage. */
function writeTranscript(folder: string, bytes: number): string {
  const path = join(folder, "transcripts", `${bytes}.jsonl`);
  mkdirSync(join(path, ".."), { recursive: true });
  const line = `${JSON.stringify({ type: "user", message: { role: "user", content: "x".repeat(4000) } })}\n`;
  const usage = { input_tokens: 1000, output_tokens: 10 };
  const file = openSync(path, "w");
  for (let written = 0; written < bytes; written += line.length * 100)
    writeSync(file, line.repeat(Math.min(100, Math.ceil((bytes - written) / line.length))));
  writeSync(file, `${JSON.stringify({ type: "assistant", message: { id: "m", content: [], usage } })}\n`);
  closeSync(file);
  return path;
}
