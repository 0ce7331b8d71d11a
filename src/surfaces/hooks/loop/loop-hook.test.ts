import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeHost, openHost } from "../../../../tests/session/fake-host.ts";
import { openSessions } from "../../../shell/sessions/loop-state-files.ts";
import { createRalphLoopHook, type RalphLoopHookOptions } from "./loop-hook.ts";

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
    expect(host.toasts.map(({ title }) => title)).toEqual(["Ralph Loop Started"]);
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
        message: "Task completed after 1 iteration(s), unverified: met by the claim alone",
        variant: "success",
        duration: 5000,
      },
    ]);
  });

  it("stops at the limit, and counts a promise in the last iteration (S0-35, S0-36, R-54)", async () => {
    const host = await begun({}, 1);
    await host.idle();
    await host.clock.pass(60_000);
    expect(host.prompts).toEqual([]);
    expect(host.toasts).toEqual([
      {
        title: "Ralph Loop Stopped",
        message: "Max iterations (1) reached without completion",
        variant: "warning",
        duration: 5000,
      },
    ]);
    const last = await begun({}, 1);
    last.says("<promise>DONE</promise>");
    await last.idle();
    expect(last.toasts.map(({ title }) => title)).toEqual(["Ralph Loop Complete!"]);
  });

  it("goes through several iterations until the promise (S0-45, S0-46)", async () => {
    const host = await begun();
    for (const text of ["more", "more", "<promise>DONE</promise>"]) {
      await host.idle();
      await host.clock.pass(500);
      host.says(text);
    }
    await host.idle();
    expect(host.toasts.at(-1)?.message).toBe("Task completed after 4 iteration(s), unverified: met by the claim alone");
  });

  it("goes on after a restart of its host, also in the middle of a delay (S0-45, R-40)", async () => {
    const host = await begun();
    await host.idle();
    await host.clock.pass(100);
    host.restart();
    expect(host.hook.isLoopActive("s1")).toBe(true);
    await host.idle();
    await host.clock.pass(500);
    host.says("more");
    host.restart();
    await host.idle();
    await host.clock.pass(500);
    expect(host.prompts.map(({ prompt }) => prompt.split("\n")[0])).toEqual([
      "[RALPH LOOP - ITERATION 2/5]",
      "[RALPH LOOP - ITERATION 3/5]",
    ]);
  });

  it("counts no promise from before the loop, or of an earlier iteration's refused claim (CW-0A, R-04)", async () => {
    const host = open();
    host.says("<promise>DONE</promise>");
    host.hook.startLoop("s1", "Fix it");
    await host.clock.calm();
    host.asks("Fix it");
    host.says("I tried.");
    await host.idle();
    await host.clock.pass(500);
    expect([host.prompts.length, host.hook.getState("s1")?.iteration]).toEqual([1, 2]);
  });

  it("counts a promise that many messages and a tool call follow (R-05)", async () => {
    const host = await begun();
    host.says("<promise>DONE</promise>");
    for (let index = 0; index < 100; index += 1) host.says("more");
    host.messages.get("s1")?.push({ role: "assistant", content: [{ type: "tool", text: "ls" }] });
    await host.idle();
    expect(host.hook.getState("s1")).toBeNull();
  });

  it("cancels its own session's loop and says where it stopped (S0-25)", async () => {
    const host = await begun();
    expect(host.hook.cancelLoop("s2")).toBe(false);
    expect(host.hook.isLoopActive("s1")).toBe(true);
    expect(host.hook.cancelLoop("s1")).toBe(true);
    await host.clock.calm();
    expect([host.hook.getState("s1"), host.hook.cancelLoop("s1")]).toEqual([null, false]);
    expect(host.toasts).toEqual([
      { title: "Ralph Loop Cancelled", message: "Stopped at iteration 1", variant: "info", duration: 2000 },
    ]);
    expect(host.log.at(-1)).toMatchObject({ text: "[ralph-loop] Loop cancelled", fields: { iteration: 1 } });
  });

  it("answers for the asked session only (S0-26, S0-27, R-20)", async () => {
    const host = await begun();
    host.hook.startLoop("s2", "Other");
    expect(host.hook.getState("s2")?.prompt).toBe("Other");
    expect(host.hook.getState("s3")).toBeNull();
    expect([host.hook.isLoopActive("s1"), host.hook.isLoopActive("s3"), host.hook.isLoopActive("")]).toEqual([
      true,
      false,
      false,
    ]);
    host.hook.cancelLoop("s2");
    expect(host.hook.getState()?.sessionId).toBe("s1");
  });

  it("leaves the loop of another session alone, and starts its own anew with a word (CW-0D, R-20)", async () => {
    const host = await begun();
    await host.idle();
    await host.clock.pass(500);
    host.hook.startLoop("s2", "Other");
    host.hook.startLoop("s1", "Again");
    await host.clock.calm();
    expect([host.hook.getState("s1"), host.hook.getState("s2")]).toMatchObject([
      { prompt: "Again", iteration: 1 },
      { prompt: "Other", iteration: 1 },
    ]);
    expect(host.log.at(-1)?.text).toBe("[ralph-loop] Loop started; it replaces the one this session had");
  });

  it("clears the loop of a deleted session, and no other (S0-28)", async () => {
    const host = await begun();
    host.hook.startLoop("s2", "Other");
    await host.hook.handler({ event: "session.deleted", sessionId: "s2", data: { sessionId: "s1" } });
    expect([host.hook.getState("s1"), host.hook.getState("s2")?.active]).toEqual([null, true]);
    expect(host.log.at(-1)?.text).toBe("[ralph-loop] Session deleted, loop cleared");
  });

  it.each<[string, (() => Promise<boolean>) | null, boolean, string]>([
    ["is gone", () => Promise.resolve(false), false, "Cleared orphaned state"],
    ["lives", () => Promise.resolve(true), true, "Another session has a loop here; it is left alone"],
    [
      "cannot be asked for",
      () => Promise.reject(new Error("no")),
      true,
      "Another session has a loop here; it is left alone",
    ],
    ["is known to nobody", null, true, "Another session has a loop here; it is left alone"],
  ])(
    "treats the loop of an owner that %s rightly, and says so (S0-33, R-22, R-23)",
    async (_how, exists, stays, text) => {
      const host = await begun(exists === null ? {} : { checkSessionExists: exists });
      await host.idle("s2");
      await host.clock.pass(1000);
      expect([host.hook.isLoopActive("s1"), host.prompts]).toEqual([stays, []]);
      expect(host.log.at(-1)).toMatchObject({
        text: `[ralph-loop] ${text}`,
        fields: { orphanedSessionId: "s1", currentSessionId: "s2" },
      });
    },
  );

  it("never takes a loop of another program or directory for an orphan (R-20, R-22)", async () => {
    const gone = { checkSessionExists: () => Promise.resolve(false) };
    const host = await begun();
    const place = { config: { stateDir: join(host.directory, "state") }, log: () => {}, ...gone };
    for (const other of [{ workdir: host.directory, hostName: "other" }, { workdir: "/elsewhere" }])
      await createRalphLoopHook({ ...place, ...other }).handler({ event: "session.idle", sessionId: "s2" });
    expect(host.hook.isLoopActive("s1")).toBe(true);
    await createRalphLoopHook({ ...place, workdir: host.directory }).handler({
      event: "session.idle",
      sessionId: "s2",
    });
    expect(host.hook.isLoopActive("s1")).toBe(false);
  });

  it("refuses what cannot be a loop, with a reason (CW-0I, R-09, R-53)", () => {
    const host = open();
    expect(host.hook.startLoop("s1", "x", { maxIterations: 0 })).toBe(false);
    expect(host.hook.startLoop("s1", "x", { completionPromise: " " })).toBe(false);
    expect(host.hook.startLoop("null", "x")).toBe(false);
    const off = open({ config: { enabled: false } });
    expect(off.hook.startLoop("s1", "x")).toBe(false);
    expect(host.log.map(({ text }) => text)).toEqual(Array.from({ length: 3 }, () => "[ralph-loop] Loop not started"));
    expect([host.toasts, off.hook.getState("s1")]).toEqual([[], null]);
  });

  it("needs none of its callbacks (S0-07)", async () => {
    const { directory } = open();
    const hook = createRalphLoopHook({
      workdir: directory,
      config: { stateDir: directory, continuationDelay: 0 },
      log: () => {},
    });
    expect(hook.startLoop("s1", "x", { maxIterations: 2 })).toBe(true);
    await hook.handler({ event: "session.idle", sessionId: "s1" });
    await hook.settled();
    expect(hook.getState("s1")?.iteration).toBe(2);
  });

  it("says false, without a toast, when the start cannot be stored, and injects nothing it could not store (S0-24, S0-38)", async () => {
    const host = await begun();
    const read = openSessions({ stateDir: join(host.directory, "state"), workdir: host.directory, log: () => {} });
    const full = open({ store: { ...read, change: () => false } });
    expect(full.hook.startLoop("s1", "x")).toBe(false);
    await full.idle();
    await full.clock.pass(60_000);
    expect([full.prompts, full.toasts.map(({ title }) => title)]).toEqual([[], []]);
    const stuck = open({
      store: {
        ...read,
        change: (_id, step) => {
          step(read.read("s1"));
          return false;
        },
      },
    });
    await stuck.idle();
    await stuck.clock.pass(60_000);
    expect(stuck.prompts).toEqual([]);
    expect(stuck.log.map(({ text }) => text)).toContain("[ralph-loop] Failed to increment iteration");
  });
});
