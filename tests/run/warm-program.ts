import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { Ended } from "./scratch-project.ts";

/** A command and the world it runs in. */
export type WarmOrder = { words: string[]; cwd: string; env: Record<string, string>; stdin: Uint8Array };

type Host = { child: ChildProcess; printed: { stdout: string; stderr: string } };
type News = "at rest" | { code: number; stdout: string; stderr: string };

/** The launcher answers these itself, or they give their streams to another program. */
const needsProcess = new Set(["hook", "demo", "sim", "--version", "-v", "--help", "-h"]);

/** The host of the last command, when it can run another; null when it ended with its command. */
let next: Promise<Host | null> = Promise.resolve(null);
let isBusy = false;

/** Whether a host can run the command: it runs one at a time, and what Node reads at its start is read already. */
export function canRunWarm({ words, env }: Pick<WarmOrder, "words" | "env">): boolean {
  const [first = ""] = words;
  if (process.env["RALPH_TEST_PROCESSES"] === "1") return false;
  return !isBusy && !needsProcess.has(first) && !Object.keys(env).some((name) => name.startsWith("NODE_"));
}

/**
 * Runs a command of the built program in a process that has loaded it already: starting one takes longer than most commands.
 * Environment, folder, streams, listeners and timers are the command's own. Past its time the host is killed.
 */
export async function runWarm(order: WarmOrder, timeoutMs: number): Promise<Ended> {
  isBusy = true;
  try {
    const host = (await next) ?? startHost();
    hold(host, true);
    next = atRest(host);
    return await ask(host, order, timeoutMs);
  } finally {
    isBusy = false;
  }
}

function startHost(): Host {
  const child = fork(join(import.meta.dirname, "warm-host.js"), [], {
    env: {},
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  return { child, printed };
}

/** How the command ended, or the host with it. */
function ask({ child, printed }: Host, order: WarmOrder, timeoutMs: number): Promise<Ended> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      printed.stderr += `\n(killed by the test after ${timeoutMs} ms)\n`;
      child.kill("SIGKILL");
    }, timeoutMs);
    const settle = (end: Ended): void => {
      clearTimeout(timer);
      child.off("message", onMessage).off("close", onClose);
      resolve(end);
    };
    const onMessage = (news: News): void => (news === "at rest" ? undefined : settle({ ...news, signal: null }));
    const onClose = (code: number | null, signal: string | null): void => settle({ code, signal, ...printed });
    child.on("message", onMessage).on("close", onClose);
    child.send(order);
  });
}

function atRest(host: Host): Promise<Host | null> {
  const { child } = host;
  return new Promise((resolve) => {
    const settle = (found: Host | null): void => {
      child.off("message", onMessage).off("close", onClose);
      hold(host, false);
      resolve(found);
    };
    const onMessage = (news: News): void => (news === "at rest" ? settle(host) : undefined);
    const onClose = (): void => settle(null);
    child.on("message", onMessage).on("close", onClose);
  });
}

/** An idle host does not keep the tests from ending; when they end its channel closes, and it ends too. */
function hold({ child }: Host, isHeld: boolean): void {
  const handles = [child, child.channel, child.stdout, child.stderr] as ({ ref(): void; unref(): void } | null)[];
  for (const handle of handles)
    if (isHeld) handle?.ref();
    else handle?.unref();
}
