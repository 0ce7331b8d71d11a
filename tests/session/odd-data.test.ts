import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Verdict } from "../../src/core/verification/verdict.ts";
import type { SessionMessage } from "../../src/core/session/session-message.ts";
import {
  createRalphLoopHook,
  type RalphLoopEvent,
  type RalphLoopHookOptions,
} from "../../src/surfaces/hooks/loop/loop-hook.ts";
import { propertySeed } from "../property-seed.ts";
import { type FakeHost, hostStart, openHost } from "./fake-host.ts";

const hosts: FakeHost[] = [];
const home = process.env["RALPH_STATE_HOME"];

afterEach(() => {
  for (const host of hosts.splice(0)) host.close();
  if (home === undefined) delete process.env["RALPH_STATE_HOME"];
  else process.env["RALPH_STATE_HOME"] = home;
});

function open(given: Partial<RalphLoopHookOptions> = {}): FakeHost {
  const host = openHost(given);
  hosts.push(host);
  return host;
}

const headings = (host: FakeHost): (string | undefined)[] => host.prompts.map(({ prompt }) => prompt.split("\n")[0]);
const throwing = {
  get sessionId(): string {
    throw new Error("no");
  },
};

describe("a promise given right after startLoop", () => {
  it("counts, however soon it comes (CW-0A)", async () => {
    const host = open();
    host.says("<promise>DONE</promise>");
    host.hook.startLoop("s1", "Fix it");
    host.asks("Fix it");
    host.says("<promise>DONE</promise>");
    await host.idle();
    expect(host.hook.getState("s1")).toBeNull();
    expect(host.toasts.at(-1)?.title).toBe("Ralph Loop Complete!");
  });

  it("counts where the host's list comes late, found by the prompt (CW-0A)", async () => {
    const list: SessionMessage[] = [];
    const host = open({
      getMessages: async () => {
        await Promise.resolve();
        return list;
      },
    });
    host.hook.startLoop("s1", "Fix it");
    list.push({ role: "user", content: "Fix it" }, { role: "assistant", content: "<promise>DONE</promise>" });
    await host.idle();
    expect(host.hook.getState("s1")).toBeNull();
  });

  it("does not count when it is older than the loop (CW-0A, R-04)", async () => {
    const host = open();
    const old = { createdAt: hostStart - 1000 };
    host.messages.set("s1", [
      { role: "user", content: "Fix it", ...old },
      { role: "assistant", content: "<promise>DONE</promise>", ...old },
    ]);
    host.hook.startLoop("s1", "Fix it");
    await host.clock.calm();
    host.asks("Fix it");
    host.says("I tried.");
    await host.idle();
    await host.clock.pass(500);
    expect(headings(host)).toEqual(["[RALPH LOOP - ITERATION 2/100]"]);
  });
});

describe("odd data of a host", () => {
  async function begun(given: Partial<RalphLoopHookOptions> = {}): Promise<FakeHost> {
    const host = open(given);
    host.hook.startLoop("s1", "Fix it", { maxIterations: 5 });
    await host.clock.calm();
    host.asks("Fix it");
    host.says("I tried.");
    return host;
  }

  it.each<[string, () => unknown]>([
    ["an entry that is null", () => [null, { role: "assistant", content: "hm" }]],
    ["no list", () => ({ length: 1 })],
    ["parts that are none", () => [{ role: "assistant", content: [null, 5, { type: "text", text: {} }] }]],
    ["an entry that throws", () => [throwing, Object.defineProperty({}, "role", { get: () => throwing.sessionId })]],
  ])("among the messages does not stop the loop: %s", async (_what, messages) => {
    const host = await begun({ getMessages: () => Promise.resolve(messages() as SessionMessage[]) });
    await host.idle();
    await host.clock.pass(500);
    expect(headings(host)).toEqual(["[RALPH LOOP - ITERATION 2/5]"]);
  });

  it.each<[unknown]>([[null], [{}], [[null]], [[{ isPassed: "yes" }]], [[{ isPassed: true, output: null }, 1]]])(
    "for verdicts, %j, completes nothing it does not say, and the loop goes on",
    async (verdicts) => {
      const run = () => Promise.resolve(verdicts as Verdict[]);
      const host = await begun({ criteria: { count: 2, run } });
      host.says("<promise>DONE</promise>");
      await host.idle();
      await host.clock.pass(500);
      expect(headings(host)).toEqual(["[RALPH LOOP - ITERATION 2/5]"]);
      expect(host.prompts[0]?.prompt).toMatch(/verdict|Verification failed/);
    },
  );

  it.each<[string, () => unknown]>([
    ["null", () => null],
    ["a text", () => "session.idle"],
    ["a list", () => []],
    ["one with a number for its session", () => ({ event: "session.idle", sessionId: 5 })],
    ["one whose name is none", () => ({ event: {} })],
    ["one that throws", () => throwing],
  ])("for an event, %s, is not thrown back", async (_what, event) => {
    const host = await begun();
    await expect(host.hook.handler(event() as RalphLoopEvent)).resolves.toBeUndefined();
    await host.idle();
    await host.clock.pass(500);
    expect(headings(host)).toEqual(["[RALPH LOOP - ITERATION 2/5]"]);
  });

  it("is named in the log when it says nothing of a session and there is a loop", async () => {
    const host = await begun();
    await host.hook.handler({ event: "session.idle", sessionId: 5, data: throwing } as unknown as RalphLoopEvent);
    expect(host.log.at(-1)).toMatchObject({ level: "warning", text: "[ralph-loop] Ignored a session.idle event" });
  });

  it("hides no id that stands beside it", async () => {
    const host = await begun();
    void host.hook.handler({ event: "session.idle", sessionId: "s1", data: throwing });
    await host.clock.pass(500);
    expect(headings(host)).toEqual(["[RALPH LOOP - ITERATION 2/5]"]);
  });

  it("for a start is refused with a reason, and never thrown back", () => {
    const host = open();
    const { hook } = host as unknown as {
      hook: { startLoop(...given: unknown[]): boolean; cancelLoop(id: unknown): boolean };
    };
    expect(hook.startLoop(5, "x")).toBe(false);
    expect(hook.startLoop("s1", null)).toBe(false);
    expect(hook.startLoop("s1", "x", { completionPromise: 5 })).toBe(false);
    expect(hook.startLoop("s1", "x", null)).toBe(true);
    expect(hook.cancelLoop(null)).toBe(false);
    expect(host.log.filter(({ text }) => text.endsWith("not started")).length).toBe(3);
  });

  it("takes a session that nobody knows of for one that exists (R-22)", async () => {
    const host = await begun({ checkSessionExists: (() => Promise.resolve(undefined)) as never });
    await host.idle("s2");
    expect(host.hook.isLoopActive("s1")).toBe(true);
  });

  it("of any shape never throws out of the handler, and a loop that nobody ended goes on", async () => {
    const name = fc.constantFrom("session.idle", "session.error", "session.deleted", "other");
    const id = fc.oneof(fc.constantFrom<unknown>("s1", "s2", "null", "", 5, null), fc.jsonValue());
    const key = fc.constantFrom("sessionId", "sessionID", "info", "error", "name", "message", "data", "id");
    const data = fc.oneof(fc.jsonValue(), fc.dictionary(key, fc.oneof(id, fc.dictionary(key, id))));
    const event = fc.oneof(fc.jsonValue(), fc.record({ event: name, sessionId: id, data }, { requiredKeys: [] }));
    const message = fc.oneof(fc.jsonValue(), fc.record({ role: fc.constant("assistant"), content: fc.jsonValue() }));
    const runs = fc.record({
      events: fc.array(event, { maxLength: 6 }),
      messages: fc.array(message, { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ events, messages }) => {
        const host = await begun({ getMessages: () => Promise.resolve(messages as SessionMessage[]) });
        for (const each of events) {
          void host.hook.handler(each as RalphLoopEvent).catch((error: unknown) => host.log.push(error as never));
          await host.clock.pass(6000);
        }
        const isEnded = host.log.some(({ text }) => /cleared|detected|reached|stopped/.test(text));
        const before = host.prompts.length;
        await host.idle();
        await host.clock.pass(120_000);
        const isContinued = host.prompts.length > before || host.log.some(({ text }) => text.includes("reached"));
        expect([isEnded || isContinued, host.log.filter((line) => line instanceof Error)]).toEqual([true, []]);
        hosts.splice(hosts.indexOf(host), 1);
        host.close();
      }),
      { seed: propertySeed, numRuns: 150 },
    );
  });
});

describe("enabled: false", () => {
  it("continues no loop that is stored, keeps it, and says so (S0-02)", async () => {
    const host = open();
    host.hook.startLoop("s1", "Fix it");
    await host.clock.calm();
    const off = createRalphLoopHook({
      workdir: host.directory,
      clock: host.clock,
      config: { enabled: false, stateDir: join(host.directory, "state") },
      injectPrompt: async (sessionId, prompt) => void host.prompts.push({ sessionId, prompt }),
      log: (line) => host.log.push(line),
    });
    void off.handler({ event: "session.idle", sessionId: "s1" });
    await host.clock.pass(120_000);
    expect([host.prompts, off.getState("s1")?.iteration]).toEqual([[], 1]);
    expect(host.log.at(-1)).toMatchObject({ text: "[ralph-loop] Loop not continued" });
  });
});

describe("a state of the older generation in .supercoin", () => {
  const camel = { maxIterations: 9, completionPromise: "OK", startedAt: "2026-11-15T11:00:00.000Z", sessionId: "s1" };
  const snake = {
    max_iterations: 9,
    completion_promise: "OK",
    started_at: "2026-11-15T11:00:00.000Z",
    session_id: "s1",
  };

  it.each([camel, snake])("is found and continued with the keys of row %# (S0-09, S0-47)", async (own) => {
    const { directory, clock } = open();
    process.env["RALPH_STATE_HOME"] = join(directory, "home");
    mkdirSync(join(directory, ".supercoin"));
    const path = join(directory, ".supercoin", "ralph-loop-state.json");
    writeFileSync(path, JSON.stringify({ active: true, iteration: 3, prompt: "Fix it", ...own }));
    utimesSync(path, 1, 1);
    const prompts: string[] = [];
    const hook = createRalphLoopHook({
      workdir: directory,
      clock,
      injectPrompt: async (_id, prompt) => void prompts.push(prompt),
      log: () => {},
    });
    expect(hook.getState()).toMatchObject({ iteration: 3, maxIterations: 9, completionPromise: "OK" });
    void hook.handler({ event: "session.idle", sessionId: "s1" });
    await clock.pass(500);
    expect(prompts.map((prompt) => prompt.split("\n")[0])).toEqual(["[RALPH LOOP - ITERATION 4/9]"]);
    hook.dispose();
  });
});
