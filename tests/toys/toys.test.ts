import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type AgentAdapter,
  cancelRun,
  continueRun,
  createRalphLoopHook,
  type GateKind,
  listRuns,
  type LoopHandle,
  pauseRun,
  plainAnswer,
  runLoop,
  runTasks,
  showRun,
  type Sink,
  superviseLoop,
} from "../../src/index.ts";
import { openFolder } from "../library/open-folder.ts";

/** A surface of its own: one line for what a person wants to know, made of the events alone. */
async function toySurface(loop: LoopHandle): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of loop.events) {
    if (event.kind === "agent" && event.event.type === "text") lines.push(`agent: ${event.event.text.trim()}`);
    if (event.kind === "check" && event.progress.verdict !== null)
      lines.push(`${event.progress.gate.name}: ${event.progress.verdict.isPassed ? "green" : "red"}`);
  }
  return [...lines, (await loop.outcome).name];
}

/** A surface that drives nothing: it lists what lives in a state folder, and ends it. */
function toyRemote(stateFolder: string) {
  const living = async (): Promise<string[]> => {
    const { runs } = await listRuns({ stateFolder });
    return runs.filter(({ state }) => state !== "ended").map(({ id, kind, state }) => `${id} ${kind} ${state}`);
  };
  return { living, end: (runId: string) => cancelRun({ runId, stateFolder }) };
}

/** Another program, whose agent works until it is stopped. Resolves with the id of its run when that has begun. */
async function otherProgram(stateFolder: string): Promise<string> {
  const library = pathToFileURL(join(import.meta.dirname, "..", "..", "dist", "index.js")).href;
  const program = `
    import { runLoop } from ${JSON.stringify(library)};
    const agent = ({ signal, print }) => new Promise((resolve) => { print("I work."); signal.addEventListener("abort", resolve); });
    const options = { prompt: "Work.", agent, checks: ["true"], stateFolder: process.argv[2] };
    const loop = runLoop(options);
    for await (const event of loop.events) if (event.kind === "agent") console.log(loop.id);
    await loop.outcome;
  `;
  const cwd = openFolder({ "program.mjs": program });
  const child = spawn(process.execPath, ["program.mjs", stateFolder], { cwd, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return said.toString().trim();
}

/** A kind of gate of its own: the bell must have rung. */
function toyGate(folder: string): GateKind {
  return {
    name: "toy-bell",
    gatesOf: () => [
      {
        id: "bell",
        kind: "toy-bell",
        name: "the bell",
        when: "on-claim",
        isBeforeDelivery: true,
        isAlways: false,
        origin: "toy",
        limits: { wallMs: null },
        tells: "reason",
        spec: null,
      },
    ],
    open:
      ({ context }) =>
      ({ gate }) => {
        const isPassed = existsSync(join(folder, "bell"));
        const verdict = {
          index: 0,
          name: gate.name,
          isPassed,
          reason: isPassed ? "it rang" : "the bell has not rung",
          exitCode: isPassed ? 0 : 1,
          isTimedOut: false,
          durationMs: 0,
          output: { text: "" },
          logFile: null,
          evidence: null,
        };
        context.onCheck({ gate, verdict });
        return Promise.resolve(plainAnswer([verdict]));
      },
  };
}

/** An agent program of its own: it speaks lines of JSON that only this adapter knows. */
const toyAgent: AgentAdapter = {
  name: "toy",
  commands: ["toy-agent"],
  reportsCost: false,
  spendCovers: "process",
  readUsage: null,
  keyVariables: [],
  hostMarkers: [],
  signIn: null,
  editFlags: null,
  env: {},
  invocation: ({ command, prompt }) => ({ argv: [command], stdin: prompt, usesAnswerFile: false, isReadOnly: false }),
  createReader: () => ({
    read: (line) =>
      typeof line === "object" && line !== null && "toy" in line
        ? [{ type: "text", text: `${String(line.toy)}\n`, messageId: "toy", isSub: false }]
        : "unknown",
    failure: () => null,
  }),
};

/** A sink of its own: the steps it heard, with the run they belong to. */
function toySink(): Sink & { heard: string[]; runs: () => string[] } {
  const heard: string[] = [];
  return {
    heard,
    runs: () => [...new Set(heard.map((line) => line.split(" ")[0] ?? ""))],
    entry: (entry, _, runId) => void (entry.kind === "note" || heard.push(`${runId} ${entry.observation.type}`)),
    agentEvent: (event, _, runId) => void heard.push(`${runId} ${event.type}`),
  };
}

describe("through the library alone, without a change of the product", () => {
  it("a toy surface, sink, gate and agent are added", async () => {
    const projectDir = openFolder();
    const program = join(openFolder(), "toy-agent");
    writeFileSync(
      program,
      `#!/bin/sh\ncat > /dev/null\n[ -e once ] && touch bell\ntouch once\necho '{"toy":"<promise>DONE</promise>"}'\n`,
    );
    chmodSync(program, 0o755);
    const sink = toySink();
    const loop = runLoop({
      projectDir,
      stateFolder: openFolder(),
      prompt: "Ring the bell",
      agent: program,
      agents: [toyAgent],
      gates: [toyGate(projectDir)],
      sinks: [sink],
    });
    const promise = "agent: <promise>DONE</promise>";
    expect(await toySurface(loop)).toEqual([promise, "the bell: red", promise, "the bell: green", "completed"]);
    expect(sink.heard.filter((line) => line === `${loop.id} gate-finished`)).toHaveLength(2);
  });

  it("a toy sink hears a work run and each of its role runs, and tells them apart", async () => {
    const sink = toySink();
    const work = runTasks({
      projectDir: openFolder(),
      stateFolder: openFolder(),
      tasks: [{ id: "greet", title: "Greet the user" }],
      roles: ["coder", "reviewer"],
      agent: ({ prompt }) =>
        prompt.includes("<promise>REVIEW_PASSED</promise>")
          ? "<promise>REVIEW_PASSED</promise>"
          : "<promise>IMPLEMENTATION_COMPLETE</promise>",
      settings: { verifyCommand: "true" },
      sinks: [sink],
    });
    const events: string[] = [];
    for await (const event of work.events) if (event.kind === "entry") events.push(event.runId);
    expect(await work.outcome).toMatchObject({ name: "completed" });
    expect(sink.heard).toContain(`${work.id} work-started`);
    expect(sink.heard.filter((line) => line === `${work.id} role-ended`)).toHaveLength(2);
    const roles = sink.runs().filter((id) => id !== work.id);
    expect(roles).toHaveLength(2);
    for (const id of roles) expect(sink.heard).toEqual(expect.arrayContaining([`${id} run-started`, `${id} text`]));
    expect([...new Set(events)].toSorted()).toEqual(sink.runs().toSorted());
  });

  it("a toy surface lists, shows, pauses and cancels runs that it does not drive", async () => {
    const stateFolder = openFolder();
    const remote = toyRemote(stateFolder);
    const runId = await otherProgram(stateFolder);
    expect(await remote.living()).toEqual([`${runId} run running`]);
    const named = { runId, stateFolder };
    await pauseRun(named);
    expect((await showRun(named)).run?.state.isPauseAsked).toBe(true);
    await continueRun(named);
    expect((await showRun(named)).run?.state.isPauseAsked).toBe(false);
    expect(await remote.end(runId)).toMatchObject({ id: runId, state: "ended", outcome: "cancelled" });
    expect(await remote.living()).toEqual([]);
    expect(await showRun(named)).toMatchObject({ summary: { outcome: "cancelled" }, view: { iterations: [{}] } });
    await expect(continueRun(named)).rejects.toMatchObject({ code: "not-resumable" });
    await expect(remote.end("nobody")).rejects.toMatchObject({ code: "not-found" });
  });

  it("a toy surface lists, shows and cancels a loop inside a session", async () => {
    const stateFolder = openFolder();
    const remote = toyRemote(stateFolder);
    const hook = createRalphLoopHook({
      workdir: openFolder(),
      config: { stateDir: join(stateFolder, "sessions"), continuationDelay: 0 },
      getMessages: () => Promise.resolve([]),
      injectPrompt: () => Promise.resolve(),
      criteria: null,
      log: () => {},
    });
    hook.startLoop("session-1", "Fix it.");
    await hook.settled();
    expect(await remote.living()).toEqual(["session-1 session running"]);
    const shown = await showRun({ runId: "session-1", stateFolder });
    expect(shown).toMatchObject({ summary: { id: "session-1", topic: "Fix it." }, run: null });
    await expect(pauseRun({ runId: "session-1", stateFolder })).rejects.toMatchObject({ code: "not-found" });
    expect(await remote.end("session-1")).toMatchObject({ outcome: "cancelled" });
    hook.dispose();
    expect(await remote.living()).toEqual([]);
  });

  it("a toy sink hears a supervised loop", async () => {
    const sink = toySink();
    const taskDir = join(openFolder(), "task");
    mkdirSync(taskDir);
    const runRoot = async (): Promise<null> => {
      writeFileSync(join(taskDir, "DONE"), "");
      return null;
    };
    const places = { taskDir, projectDir: openFolder(), stateFolder: openFolder() };
    expect(await superviseLoop({ ...places, runRoot, sinks: [sink] })).toMatchObject({
      outcome: { name: "completed" },
    });
    const [id] = sink.runs();
    expect(sink.heard).toEqual(expect.arrayContaining([`${id} run-started`, `${id} turn-ended`]));
  });

  it("a toy sink hears a loop inside a session, step by step as it is stored", async () => {
    const sink = toySink();
    const messages = [{ role: "user", content: "Fix it." }];
    const hook = createRalphLoopHook({
      workdir: openFolder(),
      config: { stateDir: openFolder(), continuationDelay: 0 },
      getMessages: () => Promise.resolve(messages),
      injectPrompt: (_, prompt) => Promise.resolve(messages.push({ role: "user", content: prompt })),
      criteria: null,
      log: () => {},
      sinks: [sink],
    });
    hook.startLoop("session-1", "Fix it.");
    messages.push({ role: "assistant", content: "<promise>DONE</promise>" });
    await hook.handler({ event: "session.idle", sessionId: "session-1" });
    await hook.settled();
    hook.dispose();
    const types = sink.heard.map((line) => line.split(" ")[1]);
    expect(types).toEqual(["run-started", "turn-started", "turn-ended"]);
    expect(sink.runs()).toEqual([expect.stringMatching(/^session-1-\d+$/)]);
  });
});
