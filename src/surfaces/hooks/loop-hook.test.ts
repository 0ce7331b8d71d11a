import { afterEach, describe, expect, it } from "vitest";
import { type FakeHost, openHost } from "../../../tests/session/fake-host.ts";
import type { RalphLoopHookOptions } from "./loop-hook.ts";

const hosts: FakeHost[] = [];

afterEach(() => hosts.splice(0).forEach((host) => host.close()));

function open(given: Partial<RalphLoopHookOptions> = {}): FakeHost {
  const host = openHost(given);
  hosts.push(host);
  return host;
}

/** A host whose session s1 has a loop with a first answer. */
async function begun(given: Partial<RalphLoopHookOptions> = {}, maxIterations = 5): Promise<FakeHost> {
  const host = open(given);
  host.hook.startLoop("s1", "Fix it", { maxIterations });
  await host.clock.calm();
  host.asks("Fix it");
  host.says("I tried.");
  host.toasts.length = 0;
  return host;
}

describe("createRalphLoopHook", () => {
  it("describes itself to a registry of hooks (S0-08, S0-44)", () => {
    const { hook } = open();
    expect({ ...hook, events: [...hook.events] }).toMatchObject({
      name: "ralph-loop",
      description: "Agentic iteration loop for autonomous task completion",
      priority: 50,
      events: ["session.idle", "session.error", "session.deleted"],
    });
  });

  it("starts a loop, saves its state and says so (S0-06, S0-22, S0-23)", async () => {
    const host = open();
    expect(host.hook.startLoop("s1", "Fix it", { maxIterations: 7, completionPromise: "OK", description: "d" })).toBe(
      true,
    );
    await host.clock.calm();
    expect(host.hook.getState("s1")).toEqual({
      active: true,
      iteration: 1,
      maxIterations: 7,
      completionPromise: "OK",
      startedAt: "2026-11-15T12:00:00.000Z",
      prompt: "Fix it",
      sessionId: "s1",
      description: "d",
    });
    expect(host.toasts).toEqual([
      {
        title: "Ralph Loop Started",
        message: "Max 7 iterations. Complete with <promise>OK</promise>",
        variant: "info",
        duration: 3000,
      },
    ]);
    expect(host.log).toEqual([
      {
        level: "info",
        text: "[ralph-loop] Loop started",
        fields: { sessionId: "s1", maxIterations: 7, completionPromise: "OK" },
      },
    ]);
  });

  it("continues after the delay, then counts (S0-37, CW-0G)", async () => {
    const host = await begun();
    await host.idle();
    await host.clock.pass(499);
    expect([host.prompts, host.hook.getState("s1")?.iteration]).toEqual([[], 1]);
    await host.clock.pass(1);
    expect(host.prompts.map(({ prompt }) => prompt.split("\n")[0])).toEqual(["[RALPH LOOP - ITERATION 2/5]"]);
    expect(host.hook.getState("s1")).toMatchObject({ iteration: 2, lastIterationAt: "2026-11-15T12:00:00.500Z" });
    expect(host.toasts).toEqual([{ title: "Ralph Loop", message: "Iteration 2/5", variant: "info", duration: 2000 }]);
  });

  it("detects completion, clears the state and says so (S0-34)", async () => {
    const host = await begun();
    host.says("All done. <promise>DONE</promise>");
    await host.idle();
    expect(host.hook.getState("s1")).toBeNull();
    expect(host.toasts).toEqual([
      {
        title: "Ralph Loop Complete!",
        message: "Task completed after 1 iteration(s)",
        variant: "success",
        duration: 5000,
      },
    ]);
  });
});
