import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { runSim } from "../../src/surfaces/sim/sim.ts";

const mainFile = fileURLToPath(new URL("../../src/surfaces/sim/main.ts", import.meta.url));

export type SimEnd = { code: number | null; signal: string | null; stdout: string; stderr: string };
export type SimCall = { args?: string[]; prompt?: string; env?: Record<string, string> };

export type SimFolder = {
  /** The work tree of the scripted agent. */
  cwd: string;
  state: string;
  writeScript(source: string): void;
  /** Starts `ralph sim` on the folder's script; it is ended with the test at the latest. */
  start(call?: SimCall): { child: ChildProcess; ended: Promise<SimEnd> };
  /** Starts it and waits for its end. */
  run(call?: SimCall): Promise<SimEnd>;
  /** The same within this process, for scripts that neither hang nor crash nor touch the process. */
  play(call?: SimCall): Promise<SimEnd>;
};

/** A scratch folder with a script beside an empty work tree; removed after the test. */
export function openSimFolder(script: string): SimFolder {
  const root = mkdtempSync(join(tmpdir(), "ralph-sim-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, "work");
  const state = join(root, "state");
  mkdirSync(cwd);
  const writeScript = (source: string) => writeFileSync(join(root, "sim.yaml"), source);
  writeScript(script);
  const argv = ["--script", "../sim.yaml"];
  const ownEnv = { PATH: process.env["PATH"], HOME: root, TMPDIR: root, RALPH_SIM_STATE: state };
  const start = ({ args = [], prompt = "Go", env = {} }: SimCall = {}) => {
    const child = spawn(process.execPath, [mainFile, ...argv, ...args], {
      cwd,
      env: { ...ownEnv, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.on("error", () => {});
    child.stdin.end(prompt);
    return { child, ended: collect(child) };
  };
  const play = async ({ args = [], prompt = "Go", env = {} }: SimCall = {}) => {
    const out = openSink();
    const errors = openSink();
    const stdin = Readable.from([Buffer.from(prompt)]);
    const io = { stdin, stdout: out.stream, stderr: errors.stream, env: { ...ownEnv, ...env }, cwd };
    const code = await runSim([...argv, ...args], io);
    return { code, signal: null, stdout: out.text(), stderr: errors.text() };
  };
  return { cwd, state, writeScript, start, run: (order) => start(order).ended, play };
}

function openSink(): { stream: Writable; text(): string } {
  let text = "";
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    text += chunk.toString("utf8");
    done();
  };
  return { stream: new Writable({ write }), text: () => text };
}

function collect(child: ChildProcess): Promise<SimEnd> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  return new Promise((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Waits until standard output has the text, bounded by the test's own time limit. */
export function waitForOutput(child: ChildProcess, text: string): Promise<void> {
  let seen = "";
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (chunk: string) => {
      seen += chunk;
      if (seen.includes(text)) resolve();
    });
    child.on("close", () => reject(new Error(`it ended without saying ${text}`)));
  });
}
