import { afterEach, describe, expect, it } from "vitest";
import type { Verdict } from "../../src/core/verification/verdict.ts";
import type { RalphLoopHookOptions } from "../../src/surfaces/hooks/loop/loop-hook.ts";
import { type FakeHost, openHost } from "./fake-host.ts";

const hosts: FakeHost[] = [];

afterEach(() => hosts.splice(0).forEach((host) => host.close()));

/** A host whose session s1 has a loop with a first answer. */
async function begun(given: Partial<RalphLoopHookOptions> = {}, maxIterations = 5): Promise<FakeHost> {
  const host = openHost(given);
  hosts.push(host);
  host.hook.startLoop("s1", "Fix it", { maxIterations });
  await host.clock.calm();
  host.asks("Fix it");
  host.says("I tried.");
  host.toasts.length = 0;
  host.log.length = 0;
  return host;
}

const done = "<promise>DONE</promise>";
const headings = (host: FakeHost): (string | undefined)[] => host.prompts.map(({ prompt }) => prompt.split("\n")[0]);
const texts = (host: FakeHost): string[] => host.log.map(({ text }) => text.replace("[ralph-loop] ", ""));
const titles = (host: FakeHost): string[] => host.toasts.map(({ title }) => title);
const second = "[RALPH LOOP - ITERATION 2/5]";

describe("idles", () => {
  it("that come twice, at once or later, give one continuation (CW-0H, R-30)", async () => {
    const host = await begun();
    void host.hook.handler({ event: "session.idle", sessionId: "s1" });
    void host.hook.handler({ event: "session.idle", sessionId: "s1" });
    await host.idle();
    await host.clock.pass(300);
    await host.idle();
    await host.clock.pass(300);
    await host.idle();
    await host.clock.pass(30_000);
    expect(headings(host)).toEqual([second]);
  });

  it("that come while a continuation is given do not end its turn (R-30)", async () => {
    const given: { take: () => void } = { take: () => {} };
    const host = await begun({
      injectPrompt: (sessionId, prompt) =>
        new Promise((resolve) => {
          host.prompts.push({ sessionId, prompt });
          given.take = () => resolve(host.asks(prompt));
        }),
    });
    await host.idle();
    await host.clock.pass(500);
    await host.idle();
    given.take();
    await host.clock.pass(10_000);
    expect([headings(host), host.hook.getState("s1")?.iteration]).toEqual([[second], 2]);
    host.says("Still at it.");
    await host.idle();
    await host.clock.pass(500);
    expect(headings(host)).toEqual([second, "[RALPH LOOP - ITERATION 3/5]"]);
  });

  it("of a turn that never answers are believed after a minute (R-30)", async () => {
    const host = await begun();
    await host.idle();
    await host.clock.pass(500);
    await host.idle();
    await host.clock.pass(60_500);
    expect(headings(host)).toEqual([second, "[RALPH LOOP - ITERATION 3/5]"]);
  });

  it("are believed at once after a doubted one, also over a restart (R-30, R-40)", async () => {
    const host = await begun();
    await host.idle();
    await host.clock.pass(500);
    await host.idle();
    host.restart();
    host.says("More.");
    await host.idle();
    await host.clock.pass(500);
    expect(headings(host)).toEqual([second, "[RALPH LOOP - ITERATION 3/5]"]);
  });

  it("name their session beside the event, in its data or deeper (S0-28)", async () => {
    const host = await begun();
    await host.hook.handler({ event: "session.idle", data: { info: { sessionID: "s1" } } });
    await host.clock.pass(500);
    expect(headings(host)).toEqual([second]);
  });

  it("without a loop, or of nobody, do nothing (S0-32, R-21)", async () => {
    const host = openHost();
    hosts.push(host);
    await host.idle();
    await host.idle("null");
    await host.clock.pass(10_000);
    expect([host.prompts, host.log]).toEqual([[], []]);
  });
});

describe("during the delay before a continuation", () => {
  const during: Record<string, (host: FakeHost) => unknown> = {
    "a cancel": (host) => host.hook.cancelLoop("s1"),
    "an abort": (host) => host.fails({ name: "AbortError" }),
    "a deletion": (host) => host.hook.handler({ event: "session.deleted", data: { sessionId: "s1" } }),
    "a person's word": (host) => host.asks("Wait, first look at this."),
  };

  for (const [name, happens] of Object.entries(during)) {
    it(`${name} lets nothing be injected (CW-0F, R-31)`, async () => {
      const host = await begun();
      await host.idle();
      await host.clock.pass(400);
      await happens(host);
      await host.clock.pass(60_000);
      expect(host.prompts).toEqual([]);
    });
  }

  it("a person's turn belongs to the same iteration, and its end goes on with the loop (CW-0F)", async () => {
    const host = await begun();
    await host.idle();
    host.asks("Wait, first look at this.");
    await host.clock.pass(1000);
    host.says("I looked.");
    await host.idle();
    await host.clock.pass(500);
    expect([headings(host), host.hook.getState("s1")?.iteration]).toEqual([[second], 2]);
  });

  it("a promise that arrives late completes the loop (R-08, R-32)", async () => {
    const host = await begun();
    await host.idle();
    host.says(done);
    await host.clock.pass(500);
    expect([host.prompts, titles(host)]).toEqual([[], ["Ralph Loop Complete!"]]);
  });
});

describe("a continuation", () => {
  it("during which a promise arrives is outdone by it: completion wins (R-32)", async () => {
    const host = await begun({
      injectPrompt: async (_sessionId, prompt) => {
        host.says(done);
        host.asks(prompt);
      },
    });
    await host.idle();
    await host.clock.pass(500);
    expect([titles(host), host.hook.getState("s1")]).toEqual([["Ralph Loop Complete!"], null]);
  });

  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  it.each<[string, () => Promise<unknown>, string]>([
    ["rejects", () => Promise.reject(new Error("no session")), "no session"],
    [
      "throws",
      () => {
        throw new Error("at once");
      },
      "at once",
    ],
    ["returns an error", () => Promise.resolve({ error: { message: "busy" } }), "busy"],
    ["rejects with a circle", () => Promise.reject(circular), "an error that cannot be shown"],
  ])("that %s ends the loop aloud and does not count (S0-39, CW-0G, R-33)", async (_how, injectPrompt, error) => {
    const host = await begun({ injectPrompt });
    await host.idle();
    await host.clock.pass(500);
    expect(host.hook.getState("s1")).toBeNull();
    expect(host.toasts).toEqual([
      {
        title: "Ralph Loop Stopped",
        message: `Failed to inject continuation: ${error}`,
        variant: "warning",
        duration: 5000,
      },
    ]);
    expect(host.log.at(-1)).toMatchObject({
      level: "error",
      text: "[ralph-loop] Failed to inject continuation",
      fields: { iteration: 1, error },
    });
  });

  it("that hangs is given up after five seconds, unless it stands in the session (CW-0J)", async () => {
    const lost = await begun({ injectPrompt: () => new Promise(() => {}) });
    await lost.idle();
    await lost.clock.pass(5500);
    expect(lost.hook.getState("s1")).toBeNull();
    const slow = await begun({
      injectPrompt: (_sessionId, prompt) => {
        slow.asks(prompt);
        return new Promise(() => {});
      },
    });
    await slow.idle();
    await slow.clock.pass(5500);
    expect(slow.hook.getState("s1")?.iteration).toBe(2);
  });

  it("that was given but not counted before a restart is not given twice (R-33, R-40)", async () => {
    const host = await begun({
      injectPrompt: (sessionId, prompt) => {
        host.prompts.push({ sessionId, prompt });
        host.asks(prompt);
        return new Promise(() => {});
      },
    });
    await host.idle();
    await host.clock.pass(500);
    host.restart();
    host.says("More.");
    await host.idle();
    expect([headings(host), host.hook.getState("s1")?.iteration]).toEqual([[second], 2]);
  });
});

describe("an error of the host", () => {
  it("lets an idle within five seconds wait, and the loop goes on then (S0-30, S0-31, CW-0E, R-34)", async () => {
    const host = await begun();
    await host.fails({ name: "APIError", message: "overloaded" });
    await host.clock.pass(1000);
    await host.idle();
    expect(texts(host)).toEqual(["Skipped: in recovery"]);
    await host.clock.pass(3999);
    expect(host.prompts).toEqual([]);
    await host.clock.pass(501);
    expect(headings(host)).toEqual([second]);
  });

  it("begins the window anew with each (R-35)", async () => {
    const host = await begun();
    await host.fails({ name: "APIError" });
    await host.idle();
    await host.clock.pass(3000);
    await host.fails({ name: "APIError" });
    await host.clock.pass(4999);
    expect(host.prompts).toEqual([]);
    await host.clock.pass(501);
    expect(headings(host)).toEqual([second]);
  });

  it("at the last iteration lets the loop end, not hang (S0-36, CW-0E)", async () => {
    const host = await begun({}, 1);
    await host.fails({ name: "APIError" });
    await host.idle();
    await host.clock.pass(5000);
    expect([host.prompts, titles(host)]).toEqual([[], ["Ralph Loop Stopped"]]);
  });

  it("that is an abort ends the loop for good (S0-29, R-36)", async () => {
    const host = await begun();
    await host.fails({ name: "MessageAbortedError" });
    await host.idle();
    await host.clock.pass(60_000);
    expect([host.prompts, host.hook.getState("s1"), texts(host)]).toEqual([[], null, ["User aborted, loop cleared"]]);
  });

  it("five times in a row without a word stops the loop", async () => {
    const host = await begun({ getMessages: () => Promise.resolve([]) }, 50);
    for (let turn = 0; turn < 8; turn += 1) {
      await host.fails({ name: "APIError", message: "no credit" });
      await host.idle();
      await host.clock.pass(6000);
    }
    expect(host.toasts.at(-1)?.message).toBe("5 turns in a row failed, the last one failed: no credit.");
    expect(host.prompts.length).toBe(4);
  });
});

describe("callbacks", () => {
  it("that reject or hang mean not complete, and the loop goes on (CW-0J, R-17)", async () => {
    for (const getMessages of [() => Promise.reject(new Error("no")), () => new Promise<never>(() => {})]) {
      const host = await begun({ getMessages });
      await host.clock.pass(5000);
      host.says(done);
      await host.idle();
      await host.clock.pass(30_000);
      expect(headings(host)).toEqual([second]);
      expect(texts(host)).toContain("Messages could not be read");
    }
  });

  it("that show toasts may throw, reject or hang (CW-0M, R-37)", async () => {
    const bad = [
      () => {
        throw new Error("no screen");
      },
      () => Promise.reject(new Error("no screen")),
      () => new Promise(() => {}),
    ];
    for (const showToast of bad) {
      const host = await begun({ showToast });
      await host.idle();
      await host.clock.pass(500);
      expect(headings(host)).toEqual([second]);
    }
  });

  it("that tell of background work hold the loop until it is done (R-38)", async () => {
    const work = { isPending: true };
    const host = await begun({ hasPendingWork: () => Promise.resolve(work.isPending) });
    await host.idle();
    await host.clock.pass(60_000);
    expect(host.prompts).toEqual([]);
    work.isPending = false;
    await host.clock.pass(6000);
    expect(headings(host)).toEqual([second]);
  });
});

describe("criteria", () => {
  const verdict = (isPassed: boolean): Verdict => ({
    index: 0,
    name: "npm test",
    isPassed,
    exitCode: isPassed ? 0 : 1,
    isTimedOut: false,
    durationMs: 1,
    reason: isPassed ? "passed" : "npm test exited with code 1",
    output: { text: "1 failed" },
    logFile: null,
  });

  it("stand between a promise and completion, and their reason is in the next prompt (R-14)", async () => {
    const results = [verdict(false), verdict(true)];
    const host = await begun({ criteria: { count: 1, run: () => Promise.resolve(results.splice(0, 1)) } });
    host.says(done);
    await host.idle();
    await host.clock.pass(500);
    expect(host.prompts[0]?.prompt).toContain("npm test exited with code 1");
    host.says(done);
    await host.idle();
    expect(titles(host)).toEqual(["Ralph Loop", "Ralph Loop Complete!"]);
  });

  it("that cannot be run are red (R-17)", async () => {
    const host = await begun({ criteria: { count: 1, run: () => Promise.reject(new Error("broken")) } });
    host.says(done);
    await host.idle();
    await host.clock.pass(500);
    expect(headings(host)).toEqual([second]);
  });

  it("are all needed: a check that gave no verdict is red", async () => {
    const host = await begun({ criteria: { count: 2, run: () => Promise.resolve([verdict(true)]) } });
    host.says(done);
    await host.idle();
    await host.clock.pass(500);
    expect(host.prompts[0]?.prompt).toContain("1 of the checks gave no verdict");
  });

  it("are given up when the loop is cancelled meanwhile (R-36)", async () => {
    const order: { signal: AbortSignal | null } = { signal: null };
    const run = ({ signal }: { signal: AbortSignal }): Promise<Verdict[]> => {
      order.signal = signal;
      return new Promise(() => {});
    };
    const host = await begun({ criteria: { count: 1, run } });
    host.says(done);
    await host.idle();
    expect(host.hook.cancelLoop("s1")).toBe(true);
    expect(order.signal?.aborted).toBe(true);
    await host.clock.pass(400_000);
    expect([host.prompts, titles(host)]).toEqual([[], ["Ralph Loop Cancelled"]]);
  });
});
