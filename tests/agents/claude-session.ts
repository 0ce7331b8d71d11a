import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { z } from "zod";
import type { Turn } from "./model-dialect.ts";
import { type AskedQuestion, startModelServer } from "./model-server.ts";
import { installedPrograms, realAgents } from "./real-agent.ts";
import { createScratch, type Scratch } from "./scratch.ts";

/** The plugin as it is built. */
export const pluginFolder = join(import.meta.dirname, "..", "..", "plugins", "claude-code");

/** The program, where it is installed. */
export const claudeProgram = installedPrograms()["claude"];

/** A project with a scripted model and the real program in it, the plugin loaded. */
export type ClaudeWorld = {
  scratch: Scratch;
  /** One session from its prompt to its end. */
  session(prompt: string, options?: SessionOptions): Promise<EndedSession>;
  close(): Promise<void>;
};

export type SessionOptions = {
  script: readonly Turn[];
  environment?: Readonly<Record<string, string>>;
  /** The plugin is installed in the home; otherwise it is named on the command line. */
  isInstalled?: boolean;
  /** Typed while the agent works, as soon as this file of the project is there. */
  meanwhile?: { line: string; when: string };
};

export type EndedSession = {
  exitCode: number | null;
  stderr: string;
  /** What the person was shown besides the agent's words. */
  told: string[];
  /** With what words the agent was sent back when it stopped. */
  sentBack: string[];
  /** What the model was asked, side requests left out. */
  asked: AskedQuestion[];
};

/** Opens a world. Everything in it is scratch: home, store, temp folder. */
export function openClaudeWorld(): ClaudeWorld {
  const scratch = createScratch({});
  const closing: (() => Promise<void>)[] = [];
  return {
    scratch,
    async session(prompt, options = { script: [] }) {
      const server = await startModelServer(options.script);
      closing.push(() => server.close());
      const ended = await runClaude(scratch, prompt, {
        ...options,
        environment: { ...realAgents["claude"].prepare(scratch, server.url), ...options.environment },
      });
      const asked = server.asked.filter(({ turn }) => turn !== null);
      // Context that holds a stop back is not among the printed events; the model reads it.
      const sentBack = (asked.at(-1)?.userTexts ?? []).filter((text) => text.includes("Stop hook"));
      return { ...ended, sentBack, asked };
    },
    async close() {
      for (const close of closing) await close();
      scratch.remove();
    },
  };
}

/** A session takes a second or two; five times that was seen on a busy machine. */
const sessionMsMax = 60_000;

function runClaude(
  scratch: Scratch,
  prompt: string,
  { environment = {}, isInstalled = false, meanwhile }: SessionOptions,
): Promise<Omit<EndedSession, "asked" | "sentBack">> {
  const plugin = isInstalled ? [] : ["--plugin-dir", pluginFolder];
  const asked = meanwhile === undefined ? [prompt] : lineByLine;
  const words = ["-p", ...asked, ...eventByEvent, "--dangerously-skip-permissions", ...plugin];
  const child = spawn(claudeProgram ?? "", words, {
    cwd: scratch.project,
    env: { ...scratch.environment, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  if (meanwhile === undefined) child.stdin.end();
  const typing = meanwhile === undefined ? null : typeIn(child.stdin, prompt, meanwhile, scratch);
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), sessionMsMax);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (exitCode) => {
      clearTimeout(timer);
      if (typing !== null) clearInterval(typing);
      resolve({ exitCode, stderr: printed.stderr, ...readEvents(printed.stdout) });
    });
  });
}

/** The program reads prompts from its input while it works. */
const lineByLine = ["--input-format", "stream-json"];

/** The program prints all that happens, as JSON lines. */
const eventByEvent = ["--output-format", "stream-json", "--verbose"];

function readEvents(stdout: string): Pick<EndedSession, "told"> {
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  const events = lines.map((line) => eventSchema.parse(JSON.parse(line)));
  return { told: events.flatMap(({ subtype, content }) => (subtype === "informational" ? [String(content)] : [])) };
}

const eventSchema = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  content: z.unknown().optional(),
});

function typeIn(
  input: Writable,
  prompt: string,
  { line, when }: NonNullable<SessionOptions["meanwhile"]>,
  { project }: Scratch,
): NodeJS.Timeout {
  const type = (content: string): void =>
    void input.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
  type(prompt);
  const looking = setInterval(() => {
    if (!existsSync(join(project, when))) return;
    clearInterval(looking);
    type(line);
    input.end();
  }, 50);
  return looking;
}
