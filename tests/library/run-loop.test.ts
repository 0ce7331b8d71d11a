import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RalphError, runLoop, type LoopEvent } from "../../src/index.ts";
import { createMemoryStore } from "../../src/shell/stores/memory/memory-store.ts";
import { openFolder } from "./open-folder.ts";

async function eventsOf(events: AsyncIterable<LoopEvent>): Promise<LoopEvent[]> {
  const all: LoopEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("runLoop", () => {
  it("refuses the lie of an agent function until a check function is green", async () => {
    const projectDir = openFolder();
    const prompts: string[] = [];
    const loop = runLoop({
      projectDir,
      prompt: "Write the answer",
      stateFolder: openFolder(),
      agent: ({ prompt }) => {
        prompts.push(prompt);
        if (prompts.length === 2) writeFileSync(join(projectDir, "answer.txt"), "42\n");
        return "I did it. <promise>DONE</promise>";
      },
      checks: [
        { name: "the answer is there", check: () => readFileSync(join(projectDir, "answer.txt"), "utf8") !== "" },
      ],
    });
    const [events, outcome] = await Promise.all([eventsOf(loop.events), loop.outcome]);
    expect(outcome).toMatchObject({ name: "completed" });
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("the answer is there");
    expect(events.find(({ kind }) => kind === "started")).toMatchObject({ runId: loop.id });
    const verdicts = events.flatMap((event) =>
      event.kind === "check" && event.progress.verdict !== null ? [event.progress.verdict.isPassed] : [],
    );
    expect(verdicts).toEqual([false, true]);
  });

  it("takes commands as checks beside those of the project, and never in their place", async () => {
    const projectDir = openFolder({
      ".ralph/settings.json": JSON.stringify({ guardrails: [{ command: "test -e made", failAction: "APPEND" }] }),
    });
    let turn = 0;
    const loop = runLoop({
      projectDir,
      prompt: "Make it",
      stateFolder: openFolder(),
      settings: { maximumIterations: 4 },
      agent: () => {
        turn += 1;
        writeFileSync(join(projectDir, turn === 1 ? "other" : "made"), "");
        return "<promise>DONE</promise>";
      },
      checks: ["test -e other"],
    });
    expect(await loop.outcome).toMatchObject({ name: "completed" });
    expect(turn).toBe(2);
  });

  it("is cancelled by its handle and by a signal, also while the agent does not listen", async () => {
    const stop = new AbortController();
    const stubborn = { projectDir: openFolder(), prompt: "Hang", agent: () => new Promise<string>(() => {}) };
    const byHandle = runLoop({ ...stubborn, stateFolder: openFolder() });
    for await (const { kind } of byHandle.events) if (kind === "started") break;
    await byHandle.cancel();
    expect(await byHandle.outcome).toMatchObject({ name: "cancelled" });
    const bySignal = runLoop({ ...stubborn, stateFolder: openFolder(), signal: stop.signal });
    stop.abort();
    expect(await bySignal.outcome).toMatchObject({ name: "cancelled" });
  });

  it("hears a cancel above what is asked after it, also before it begins", async () => {
    const agent = () => "<promise>DONE</promise>";
    const options = { projectDir: openFolder(), prompt: "x", agent, checks: ["true"] };
    const aborted = runLoop({ ...options, stateFolder: openFolder(), signal: AbortSignal.abort() });
    aborted.pause();
    const cancelled = runLoop({ ...options, projectDir: openFolder(), stateFolder: openFolder() });
    const gone = cancelled.cancel();
    cancelled.resume();
    await gone;
    expect([await aborted.outcome, await cancelled.outcome]).toMatchObject([
      { name: "cancelled" },
      { name: "cancelled" },
    ]);
  });

  it("is not broken by a sink that throws or rejects, and takes a link to a folder", async () => {
    const sink = {
      entry: () => {
        throw new Error("a fault of the sink");
      },
      agentEvent: () => Promise.reject(new Error("another one")),
    };
    const link = join(openFolder(), "link");
    symlinkSync(openFolder(), link);
    const agent = ({ projectDir }: { projectDir: string }) => {
      writeFileSync(join(projectDir, "made"), "");
      return "<promise>DONE</promise>";
    };
    const loop = runLoop({
      projectDir: link,
      stateFolder: openFolder(),
      prompt: "x",
      agent,
      sinks: [sink],
      checks: ["true"],
    });
    expect(await loop.outcome).toMatchObject({ name: "completed" });
  });

  it("pauses between turns and continues", async () => {
    const projectDir = openFolder();
    let turn = 0;
    const loop = runLoop({
      projectDir,
      prompt: "Count",
      stateFolder: openFolder(),
      agent: () => {
        turn += 1;
        if (turn === 1) loop.pause();
        writeFileSync(join(projectDir, `turn-${turn}`), "");
        return turn === 1 ? "not yet" : "<promise>DONE</promise>";
      },
      checks: ["true"],
    });
    for await (const event of loop.events)
      if (event.kind === "entry" && event.entry.kind === "step" && event.entry.observation.type === "turn-ended") break;
    expect(turn).toBe(1);
    loop.resume();
    expect(await loop.outcome).toMatchObject({ name: "completed" });
    expect(turn).toBe(2);
  });

  it("tells a failed turn from a run that failed, and a store of its own stays open", async () => {
    const store = createMemoryStore();
    const loop = runLoop({
      projectDir: openFolder(),
      prompt: "Fail",
      stateFolder: openFolder(),
      store,
      settings: { maximumIterations: 2, agent: { retryDelay: null } },
      agent: () => Promise.reject(new Error("no network")),
      checks: ["true"],
    });
    expect(await loop.outcome).toMatchObject({ name: "exhausted" });
    const [run] = await store.find(loop.id);
    expect(run?.outcome?.name).toBe("exhausted");
  });

  it("counts the time of the run, not that of the program that started it", async () => {
    const [store, beganMs] = [createMemoryStore(), performance.now()];
    const options = { projectDir: openFolder(), prompt: "Go on", stateFolder: openFolder(), store, checks: ["true"] };
    const loop = runLoop({ ...options, agent: () => "<promise>DONE</promise>" });
    expect(await loop.outcome).toMatchObject({ name: "completed" });
    const [run] = await store.find(loop.id);
    expect(run?.state.usedMs).toBeLessThan(performance.now() - beganMs);
  });

  it.each<[string, object, string]>([
    ["without a prompt", {}, "prompt"],
    ["with a directory that is not there", { prompt: "x", projectDir: "/no/such/folder" }, "projectDir"],
    ["with an agent that is none", { prompt: "x", agent: 7 }, "agent"],
    ["with a check that cannot be asked", { prompt: "x", checks: [{ name: "a" }] }, "checks"],
    [
      "with a check at no known time",
      { prompt: "x", checks: [{ name: "a", check: () => true, when: "late" }] },
      "checks",
    ],
    ["with a sink that is none", { prompt: "x", sinks: [{}] }, "sinks"],
    ["with a gate that is none", { prompt: "x", gates: [{}] }, "gates"],
    ["with a store that is none", { prompt: "x", store: {} }, "store"],
    ["with an option that does not exist", { prompt: "x", promt: "y" }, "promt"],
  ])("is refused %s by the option's name", (_, options, name) => {
    const start = (): unknown => runLoop(options as Parameters<typeof runLoop>[0]);
    expect(start).toThrow(RalphError);
    expect(start).toThrow(name);
  });

  it("rejects its outcome with what is wrong in the settings", async () => {
    const options = { projectDir: openFolder(), prompt: "x", agent: () => "", stateFolder: openFolder() };
    const loop = runLoop({ ...options, settings: { maximumIterations: "many" } });
    await expect(loop.outcome).rejects.toThrow("maximumIterations");
    await expect(eventsOf(loop.events)).rejects.toThrow("maximumIterations");
  });
});
