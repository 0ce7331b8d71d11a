import { describe, expect, it } from "vitest";
import { asOwn } from "../../shell/lib/as-own.ts";
import type { ProcessEnd, ProcessOrder, Processes } from "../../shell/ports.ts";
import { type AgentFunction, withAgentFunction } from "./agent-function.ts";
import { functionCommand } from "./own-functions.ts";

type Said = { stdout: string; stderr: string };

async function start(agent: AgentFunction, limits: Partial<ProcessOrder> = {}) {
  const said: Said = { stdout: "", stderr: "" };
  const processes = asOwn<Processes>({
    self: () => Promise.resolve({ pid: 7, startTime: "x" }),
    start: () => Promise.resolve({ isStarted: false, kind: "not-found", message: "a program" }),
  });
  const order = asOwn<ProcessOrder>({
    argv: [functionCommand],
    cwd: "/project",
    stdin: "Do it",
    idleMs: null,
    wallMs: null,
    killGraceMs: 20,
    onStdout: (chunk: Uint8Array) => void (said.stdout += Buffer.from(chunk).toString()),
    onStderr: (chunk: Uint8Array) => void (said.stderr += Buffer.from(chunk).toString()),
    ...limits,
  });
  const started = await withAgentFunction(processes, agent).start(order);
  return { started, said };
}

async function endOf(agent: AgentFunction, limits: Partial<ProcessOrder> = {}): Promise<ProcessEnd & Said> {
  const { started, said } = await start(agent, limits);
  if (!started.isStarted) throw new Error(started.message);
  return { ...(await started.process.ended), ...said };
}

const hang: AgentFunction = () => new Promise<string>(() => {});

describe("an agent that is a function", () => {
  it("gets prompt and directory, and says what it prints and returns", async () => {
    const end = await endOf(({ prompt, projectDir, print }) => {
      print("a ");
      return `${prompt} in ${projectDir}`;
    });
    expect(end).toMatchObject({ exitCode: 0, isCut: false, stdout: "a Do it in /project" });
  });

  it("fails its turn when it rejects", async () => {
    const end = await endOf(() => Promise.reject(new Error("no network")));
    expect(end).toMatchObject({ exitCode: 1, stderr: "no network\n" });
  });

  it("fails its turn when it returns something else than a text or nothing, and says what", async () => {
    const wrong = (value: unknown): AgentFunction => asOwn<AgentFunction>(() => value);
    expect(await endOf(wrong(42))).toMatchObject({
      exitCode: 1,
      stdout: "",
      stderr: "the agent returned a value of type number, expected a text or nothing\n",
    });
    expect(await endOf(wrong(null))).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("null") as string });
    expect(await endOf(wrong(undefined))).toMatchObject({ exitCode: 0 });
  });

  it.each([
    ["wall", { wallMs: 10 }],
    ["idle", { idleMs: 10 }],
  ] as const)("is left alone after its %s time, though it does not stop", async (timedOut, limits) => {
    expect(await endOf(hang, limits)).toMatchObject({ timedOut, isForced: true, exitCode: null });
  });

  it("fails its turn by whatever it throws, and may speak after its end", async () => {
    const odd = await endOf(() => {
      throw Object.create(null);
    });
    expect(odd).toMatchObject({ exitCode: 1, stderr: "something that has no text\n" });
    let speak: () => void = () => {};
    const late = await endOf(
      ({ print }) => {
        speak = () => print("too late");
        return new Promise<string>(() => {});
      },
      { wallMs: 10, idleMs: 3_600_000 },
    );
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    speak();
    expect(timers()).toBe(before);
    expect(late).toMatchObject({ timedOut: "wall" });
  });

  it("is told to stop when the turn is cut, and then has the time to do so", async () => {
    const { started } = await start(
      ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      {
        killGraceMs: 60_000,
      },
    );
    if (!started.isStarted) throw new Error(started.message);
    started.process.cut();
    expect(await started.process.ended).toMatchObject({ isCut: true, isForced: false });
  });

  it("leaves every other program to the machine", async () => {
    const { started } = await start(hang, { argv: ["claude"] });
    expect(started).toMatchObject({ isStarted: false, message: "a program" });
  });
});
