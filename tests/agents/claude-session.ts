import { spawn } from "node:child_process";
import { join } from "node:path";
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
};

export type EndedSession = {
  exitCode: number | null;
  stdout: string;
  stderr: string;
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
      return { ...ended, asked: server.asked.filter(({ turn }) => turn !== null) };
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
  { environment = {}, isInstalled = false }: SessionOptions,
): Promise<Omit<EndedSession, "asked">> {
  const plugin = isInstalled ? [] : ["--plugin-dir", pluginFolder];
  const words = ["-p", prompt, "--dangerously-skip-permissions", ...plugin];
  const child = spawn(claudeProgram ?? "", words, {
    cwd: scratch.project,
    env: { ...scratch.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  const timer = setTimeout(() => child.kill("SIGKILL"), sessionMsMax);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (exitCode) => {
      clearTimeout(timer);
      resolve({ exitCode, ...printed });
    });
  });
}
