import { describe, expect, it } from "vitest";
import {
  type AgentAdapter,
  type GateKind,
  type LoopHandle,
  plainAnswer,
  RalphError,
  runLoop,
  wire,
} from "../../src/index.ts";
import { openFolder } from "./open-folder.ts";

const gate = {
  id: "moon",
  kind: "moon-phase",
  name: "the moon",
  when: "on-claim" as const,
  isBeforeDelivery: true,
  isAlways: false,
  origin: "my program",
  limits: { wallMs: null },
  tells: "reason" as const,
  spec: null,
};
const kind: GateKind = { name: "moon-phase", gatesOf: () => [gate], open: () => async () => plainAnswer([]) };
const adapter: AgentAdapter = {
  name: "my-agent",
  commands: ["my-agent"],
  reportsCost: false,
  spendCovers: "process",
  readUsage: null,
  keyVariables: [],
  hostMarkers: [],
  signIn: null,
  editFlags: null,
  env: {},
  invocation: ({ command }) => ({ argv: [command], stdin: null, usesAnswerFile: false, isReadOnly: false }),
  createReader: () => null,
};

/** A program in JavaScript gives anything. */
type Wrong = Record<string, unknown>;

function loopWith(options: Wrong, stateFolder = openFolder()): LoopHandle {
  const rest = { projectDir: openFolder(), prompt: "Wait.", stateFolder, settings: { maximumIterations: 1 } };
  return runLoop({ agent: () => "<promise>DONE</promise>", ...rest, ...options });
}

function stopping(name: string): unknown {
  return { ...plainAnswer([]), stop: { name, reason: "because" } };
}

function saying(word: Wrong): unknown {
  const plain = { isClaim: false, isWorkLeft: true, assignment: null, notes: [], remark: null };
  return { ...plainAnswer([]), word: { ...plain, ...word } };
}

/** The error of a call, whether it is thrown or its outcome rejects, and how many runs are stored after it. */
async function refusal(options: Wrong): Promise<{ error: unknown; runs: number }> {
  const stateFolder = openFolder();
  const error = await Promise.resolve()
    .then(() => loopWith(options, stateFolder).outcome)
    .then(
      () => null,
      (thrown: unknown) => thrown,
    );
  const { store } = await wire({ folder: stateFolder });
  const runs = (await store.list({ directory: null, limit: null })).length;
  await store.close();
  return { error, runs };
}

describe("a gate of a program", () => {
  it.each<[string, Wrong, string]>([
    ["throws", { open: () => () => throwing("no moon") }, "the moon: it threw: no moon"],
    ["rejects", { open: () => () => Promise.reject(new Error("no moon")) }, "the moon: it threw: no moon"],
    ["answers nothing", { open: () => async () => undefined }, "not a gate answer: it is not an object"],
    ["answers yes", { open: () => async () => true }, "not a gate answer"],
    ["answers a verdict without a name", { open: () => async () => plainAnswer([{} as never]) }, "verdicts[0]"],
    ["completes the run", { open: () => async () => stopping("completed") }, "not a gate answer: stop.name"],
    ["cancels the run", { open: () => async () => stopping("cancelled") }, "not a gate answer: stop.name"],
    ["says that no work is left", { open: () => async () => saying({ isWorkLeft: false }) }, "nor an end of the work"],
    ["claims to be done", { open: () => async () => saying({ isClaim: true }) }, "neither a claim"],
    ["cannot be opened", { open: () => throwing("no sky") }, "the moon: open threw: no sky"],
    ["is opened as something else", { open: () => 7 }, "the moon: open returned something that is not a function"],
  ])("that %s is red with the reason, and the run goes on to its end", async (_, wrong, said) => {
    const loop = loopWith({ gates: [{ ...kind, ...wrong }] });
    const reasons: string[] = [];
    for await (const event of loop.events)
      if (event.kind === "check" && event.progress.verdict !== null) reasons.push(event.progress.verdict.reason);
    expect((await loop.outcome).name).toBe("exhausted");
    expect(reasons).toEqual([expect.stringContaining(said)]);
  });

  it.each<[string, Wrong, string]>([
    ["has no name", { name: undefined }, "option gates[0] is an object, expected"],
    ["returns no list of gates", { gatesOf: () => 7 }, "option gates[0] (moon-phase)"],
    ["returns a gate without an id", { gatesOf: () => [{ ...gate, id: undefined }] }, "[0].id is not a text"],
    ["returns gates of another kind", { gatesOf: () => [{ ...gate, kind: "sun" }] }, '[0].kind is not "moon-phase"'],
    ["throws when it is asked for its gates", { gatesOf: () => throwing("no sky") }, "gatesOf threw: no sky"],
    ["throws when it prepares", { prepare: () => throwing("no sky") }, "prepare threw: no sky"],
  ])("whose kind %s is refused before anything is stored", async (_, wrong, said) => {
    const { error, runs } = await refusal({ gates: [{ ...kind, ...wrong }] });
    expect(error).toBeInstanceOf(RalphError);
    expect(error).toMatchObject({ code: "usage", message: expect.stringContaining(said) as string });
    expect(runs).toBe(0);
  });
});

describe("an adapter of a program", () => {
  it.each<[string, Wrong, string]>([
    ["has no commands", { commands: undefined }, "option agents[0] is an object, expected"],
    ["has no environment", { env: null }, "option agents[0] is an object, expected"],
    ["returns no invocation", { invocation: () => undefined }, "option agents[0] (my-agent)"],
    ["returns no list of words", { invocation: () => ({ argv: "my-agent" }) }, "argv is not a list"],
    ["throws", { invocation: () => throwing("no words") }, "invocation threw: no words"],
  ])("that %s is refused before anything is stored", async (_, wrong, said) => {
    const { error, runs } = await refusal({ agents: [{ ...adapter, ...wrong }], agent: "my-agent" });
    expect(error).toBeInstanceOf(RalphError);
    expect(error).toMatchObject({ code: "usage", message: expect.stringContaining(said) as string });
    expect(runs).toBe(0);
  });
});

function throwing(message: string): never {
  throw new Error(message);
}
