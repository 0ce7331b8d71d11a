import { type ChildProcess, spawn } from "node:child_process";
import type { Turn } from "./model-dialect.ts";
import { installedPrograms, realAgents } from "./real-agent.ts";
import type { Scratch } from "./scratch.ts";
import { installPlugin, openScriptedProject, type ScriptedProject, writeFiles } from "./scripted-project.ts";

/** The program, where it is installed. */
export const opencodeProgram = installedPrograms().opencode;

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
  /** What the plugin showed on the screen so far, title and message. */
  toasts: readonly string[];
  close(): Promise<void>;
};

/** A project with the plugin installed, and the real program that serves it. */
export type OpencodeWorld = ScriptedProject & { host: OpencodeServer };

/** Opens one. The files are there before the program starts. */
export async function openOpencodeWorld(
  script: readonly Turn[],
  files: Readonly<Record<string, string>> = {},
): Promise<OpencodeWorld> {
  const project = await openScriptedProject(script);
  const { scratch, model } = project;
  try {
    await installPlugin(scratch, "opencode", "--project");
    writeFiles(scratch.project, files);
    const host = await serveOpencode(scratch, realAgents.opencode.prepare(scratch, model.url));
    const close = async (): Promise<void> => {
      await host.close();
      await project.close();
    };
    return { ...project, host, close };
  } catch (error) {
    await project.close();
    throw error;
  }
}

/** Starts the server and waits until it listens. */
async function serveOpencode(scratch: Scratch, environment: Readonly<Record<string, string>>): Promise<OpencodeServer> {
  const child = spawn(opencodeProgram ?? "", ["serve", "--port", "0"], {
    cwd: scratch.project,
    env: { ...scratch.environment, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await listening(child);
  const toasts: string[] = [];
  const listener = new AbortController();
  const heard = await hearToasts(url, toasts, listener.signal);
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method,
      // The server closes connections that are idle; a call that takes one of them up again is reset.
      headers: { "content-type": "application/json", connection: "close" },
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
    toasts,
    async close() {
      listener.abort();
      await heard();
      await ended(child);
    },
  };
}

/** Subscribes to the events of the host. Gives a wait for the end of it. */
async function hearToasts(url: string, toasts: string[], signal: AbortSignal): Promise<() => Promise<void>> {
  const { body } = await fetch(`${url}/event`, { signal });
  const hear = async (): Promise<void> => {
    let rest = "";
    for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      toasts.push(...lines.flatMap(toastIn));
    }
  };
  const over = hear().catch(() => undefined);
  return () => over;
}

function toastIn(line: string): string[] {
  if (!line.startsWith("data: ")) return [];
  const { type, properties } = JSON.parse(line.slice("data: ".length)) as HostEvent;
  return type === "tui.toast.show" ? [`${properties?.title} ${properties?.message}`] : [];
}

type HostEvent = { type: string; properties?: { title?: string; message?: string } };

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
