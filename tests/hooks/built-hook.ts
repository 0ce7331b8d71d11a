import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { patient } from "../patience.ts";

/** What a hook answered. `isBlocked`: the host sends the agent back with what was `said`, by exit code or as additional context. */
export type Answered = {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  json: AnswerFields;
  isBlocked: boolean;
  said: string;
};

/** The fields of an answer that tests look at. */
export type AnswerFields = {
  systemMessage?: string;
  hookSpecificOutput?: {
    hookEventName?: string;
    additionalContext?: string;
    permissionDecision?: string;
    permissionDecisionReason?: string;
  };
};

/** A session of the host Claude Code, as far as a hook can see it. */
export type HookWorld = {
  root: string;
  project: string;
  state: string;
  temp: string;
  transcript: string;
  sessionId: string;
  /** Runs the built hook on a recorded input, some fields of it replaced. */
  run(hook: string, recorded: string, call?: HookCall): Answered;
  /** Adds a line to the transcript. */
  write(entry: Record<string, unknown>): void;
  /** The agent says something, as the host records it. */
  says(text: string, extra?: Record<string, unknown>): void;
  /** A person starts a loop of at most three iterations. */
  startsLoop(): void;
  /** The agent stops with a claim; `words` are further ones for the hook. */
  claims(words?: readonly string[]): Answered;
  git(...words: string[]): string;
  log(): string;
  remove(): void;
};

export type HookCall = {
  fields?: Record<string, unknown>;
  env?: Record<string, string>;
  words?: readonly string[];
  /** Instead of the recorded input. */
  input?: string;
  /** Another copy of the program. */
  program?: string;
};

const root = join(import.meta.dirname, "..", "..");
const recordings = join(root, "tests", "fixtures", "hooks", "claude");

/** Opens a world with folders of its own, whose host starts hooks with this Node. */
export function openHookWorld(node = process.execPath): HookWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-hooks-")));
  const [project, state, temp] = ["project", "state", "tmp"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const sessionId = "f639d9b0-b0a6-4b74-b599-f0aec870a51a";
  const transcript = join(folder, "home", ".claude", "projects", "-project", `${sessionId}.jsonl`);
  for (const each of [project, temp, dirname(transcript)]) mkdirSync(each, { recursive: true });
  let messages = 0;
  const env = {
    PATH: [dirname(node), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: join(folder, "home"),
    TMPDIR: temp,
    RALPH_STATE_HOME: state,
    RALPH_KILL_GRACE_MS: "200",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  const world: HookWorld = {
    root: folder,
    project,
    state,
    temp,
    transcript,
    sessionId,
    run(hook, recorded, order = {}) {
      const common = { session_id: sessionId, transcript_path: transcript, cwd: project };
      const input = order.input ?? JSON.stringify({ ...readRecorded(recorded), ...common, ...order.fields });
      const words = [order.program ?? join(root, "bin", "ralph.js"), "hook", hook, ...(order.words ?? [])];
      const end = spawnSync(node, words, {
        cwd: project,
        env: { ...env, ...order.env },
        input,
        encoding: "utf8",
        timeout: patient(60_000),
      });
      // The host records what a person typed.
      if (hook === "user-prompt-submit") world.write({ ...recordedPrompt, timestamp: new Date().toISOString() });
      const json = fieldsOf(end.stdout);
      const { hookEventName, additionalContext } = json.hookSpecificOutput ?? {};
      const said = end.stderr + (hookEventName === "Stop" ? (additionalContext ?? "") : "");
      const isBlocked = end.status === 2 || (end.status === 0 && hookEventName === "Stop" && said !== "");
      return { exitCode: end.status, stdout: end.stdout, stderr: end.stderr, json, isBlocked, said };
    },
    write: (entry) => writeFileSync(transcript, `${JSON.stringify(entry)}\n`, { flag: "a" }),
    says(text, extra = {}) {
      messages += 1;
      world.write({
        type: "assistant",
        isSidechain: false,
        timestamp: new Date().toISOString(),
        version: "2.1.325",
        message: { id: `msg_${messages}`, role: "assistant", content: [{ type: "text", text }] },
        ...extra,
      });
    },
    startsLoop() {
      const fields = { prompt: '/ralph "Fix it" --max-iterations=3' };
      world.run("user-prompt-submit", "UserPromptSubmit", { fields });
    },
    claims(words = []) {
      const claim = "<promise>DONE</promise>";
      world.says(claim);
      return world.run("stop", "Stop-first", { fields: { last_assistant_message: claim }, words });
    },
    git(...words) {
      const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
      const end = spawnSync("git", [...identity, ...words], { cwd: project, env, encoding: "utf8" });
      if (end.status !== 0) throw new Error(`git ${words.join(" ")}: ${end.stderr}`);
      return end.stdout;
    },
    log: () => (existsSync(join(state, "hooks.log")) ? readFileSync(join(state, "hooks.log"), "utf8") : ""),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  return world;
}

const recordedPrompt = {
  type: "user",
  isSidechain: false,
  version: "2.1.325",
  message: { role: "user", content: "What was typed." },
};

/** A recorded input as the host gave it. */
export function readRecorded(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(recordings, `${name}.json`), "utf8")) as Record<string, unknown>;
}

/** Puts the recorded transcript in place. */
export function copyTranscript(world: HookWorld): void {
  cpSync(join(recordings, "_transcript.jsonl"), world.transcript);
}

function fieldsOf(stdout: string): AnswerFields {
  return stdout === "" ? {} : (JSON.parse(stdout) as AnswerFields);
}
