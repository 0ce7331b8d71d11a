import { expect, it } from "vitest";
import type { Secret } from "../../core/text/known-secrets.ts";
import type { ProcessEnd, ProcessOrder, Processes } from "../ports.ts";
import { redactingProcesses, secretsOf } from "./redacting-processes.ts";

const secrets: Secret[] = [{ name: "KEY", value: "sk-12345678" }];
const end: ProcessEnd = {
  exitCode: 0,
  signal: null,
  timedOut: null,
  isCut: false,
  isForced: false,
  leftoverCount: 0,
  survivors: [],
  durationMs: 1,
};

/** A port whose one process prints these pieces on both streams. */
function printing(pieces: readonly string[]): Processes {
  return {
    start: async (order) => {
      for (const piece of pieces) {
        await order.onStdout(Buffer.from(piece));
        await order.onStderr(Buffer.from(piece));
      }
      const process = { identity: { pid: 1, startTime: "" }, ended: Promise.resolve(end), cut: () => undefined };
      return { isStarted: true, process: { ...process, endAfterSilence: () => undefined } };
    },
    isAlive: () => true,
    self: async () => ({ pid: 1, startTime: "" }),
    runOnTerminal: () => Promise.resolve({ isStarted: false, message: "there is no terminal" }),
    endLeftovers: async () => ({ ended: 0, survivors: [] }),
  };
}

function orderWith(taken: { stdout: string[]; stderr: string[] }): ProcessOrder {
  const limits = { idleMs: null, wallMs: null, killGraceMs: 0 };
  return {
    purpose: "tool",
    argv: ["any"],
    cwd: "/",
    env: {},
    stdin: null,
    turnMarker: "m",
    ...limits,
    onStdout: (chunk) => void taken.stdout.push(Buffer.from(chunk).toString()),
    onStderr: (chunk) => void taken.stderr.push(Buffer.from(chunk).toString()),
  };
}

it("hides secrets in both streams, each by itself, before anybody takes them", async () => {
  const taken = { stdout: [] as string[], stderr: [] as string[] };
  const started = await redactingProcesses(printing(["a sk-1234", "5678 b sk-"]), secrets).start(orderWith(taken));
  if (!started.isStarted) throw new Error("it starts");
  expect(await started.process.ended).toBe(end);
  const pieces = ["a ", "[redacted KEY] b ", "sk-"];
  expect(taken).toEqual({ stdout: pieces, stderr: pieces });
});

it("is the port itself where nothing is secret", () => {
  const port = printing([]);
  expect(redactingProcesses(port, [])).toBe(port);
});

it("knows the variables of every adapter and of the settings, unless it is switched off", () => {
  const env = { A_KEY: "aaaaaaaaaa", B_KEY: "bbbbbbbbbb", OWN: "cccccccccc", OTHER: "dddddddddd" };
  const adapters = [{ keyVariables: ["A_KEY"], sharedKeyVariables: ["OTHER"] }, { keyVariables: ["B_KEY", "MISSING"] }];
  const names = (redact?: { enabled: boolean; variables: string[] }): string[] =>
    secretsOf({ settings: redact === undefined ? {} : { redact }, env, adapters }).map(({ name }) => name);
  expect(names({ enabled: true, variables: ["OWN"] })).toEqual(["A_KEY", "OTHER", "B_KEY", "OWN"]);
  expect(names({ enabled: false, variables: ["OWN"] })).toEqual([]);
  expect(names()).toEqual(["A_KEY", "OTHER", "B_KEY"]);
});
