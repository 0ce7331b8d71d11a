import { type ChildProcess, spawn } from "node:child_process";
import type { Scratch } from "./scratch.ts";

/** A living `opencode serve` in a scratch project. */
export type OpencodeServer = {
  /** Makes a session and gives its id. */
  open(): Promise<string>;
  /** Performs a command and waits for its first answer. */
  command(sessionId: string, name: string, line: string): Promise<void>;
  /** Speaks to the agent and waits for its answer. */
  ask(sessionId: string, text: string): Promise<void>;
  /** The texts of a session, as `role: text`. */
  texts(sessionId: string): Promise<string[]>;
  close(): Promise<void>;
};

export type ServeOrder = { program: string; scratch: Scratch; environment: Readonly<Record<string, string>> };

/** Starts the server and waits until it listens. */
export async function serveOpencode({ program, scratch, environment }: ServeOrder): Promise<OpencodeServer> {
  const child = spawn(program, ["serve", "--port", "0"], {
    cwd: scratch.project,
    env: { ...scratch.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await listening(child);
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callMsMax),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  };
  return {
    open: async () => ((await call("POST", "/session", {})) as { id: string }).id,
    async command(sessionId, command, line) {
      await call("POST", `/session/${sessionId}/command`, { command, arguments: line });
    },
    async ask(sessionId, text) {
      await call("POST", `/session/${sessionId}/message`, { parts: [{ type: "text", text }] });
    },
    async texts(sessionId) {
      const messages = (await call("GET", `/session/${sessionId}/message`)) as Message[];
      return messages.map(({ info, parts }) => `${info.role}: ${parts.map(({ text }) => text ?? "").join("")}`);
    },
    close: () => ended(child),
  };
}

type Message = { info: { role: string }; parts: { text?: string }[] };

/** Alone it answers within seconds; beside busy neighbours it was seen to take ten times as long. */
const callMsMax = 100_000;

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const printed: string[] = [];
    const timer = setTimeout(() => reject(new Error(`it does not listen:\n${printed.join("")}`)), callMsMax);
    const hear = (text: string): void => {
      printed.push(text);
      const url = /listening on (http:\S+)/.exec(printed.join(""))?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.setEncoding("utf8").on("data", hear);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => void printed.push(text));
    child.once("error", reject);
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
