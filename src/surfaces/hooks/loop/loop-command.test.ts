import { afterEach, describe, expect, it } from "vitest";
import { type FakeHost, openHost } from "../../../../tests/session/fake-host.ts";
import { cancelLoopCommand, runLoopCommand } from "./loop-command.ts";

const hosts: FakeHost[] = [];

afterEach(() => hosts.splice(0).forEach((host) => host.close()));

function open(): FakeHost {
  const host = openHost();
  hosts.push(host);
  return host;
}

describe("runLoopCommand", () => {
  it("starts the loop, then gives the first prompt (S0-40, S0-41)", async () => {
    const host = open();
    const given: string[] = [];
    const injectPrompt = async (_sessionId: string, prompt: string): Promise<void> => void given.push(prompt);
    const line = '/ralph "Fix it" --max-iterations=25 --completion-promise=ALL_FIXED';
    expect(await runLoopCommand(host.hook, { injectPrompt }, { sessionId: "s1", line })).toBeNull();
    expect(host.hook.getState("s1")).toMatchObject({
      maxIterations: 25,
      completionPromise: "ALL_FIXED",
      prompt: "Fix it",
    });
    expect(given).toEqual(["Fix it"]);
  });

  it("starts nothing by a bad line, and says why (S0-40, R-53)", async () => {
    const host = open();
    const { hook, toasts } = host;
    const injectPrompt = () => Promise.reject(new Error("not reached"));
    const command = { injectPrompt, showToast: (toast: (typeof toasts)[0]) => toasts.push(toast) };
    const problem = await runLoopCommand(hook, command, { sessionId: "s1", line: '"x" --max-iterations=0' });
    await host.clock.calm();
    expect([problem, hook.getState("s1")]).toEqual([
      '--max-iterations is "0", expected a whole number of at least 1.',
      null,
    ]);
    expect(toasts).toMatchObject([{ title: "Ralph Loop Not Started", message: problem, variant: "warning" }]);
  });

  it("leaves no loop whose first prompt nobody got (CW-0G)", async () => {
    const host = open();
    const injectPrompt = () => Promise.reject(new Error("gone"));
    const problem = await runLoopCommand(host.hook, { injectPrompt }, { sessionId: "s1", line: "x" });
    expect([problem, host.hook.getState("s1")]).toEqual(["The first prompt could not be given: gone", null]);
  });
});

describe("cancelLoopCommand", () => {
  it("cancels, or says that there is nothing to cancel (S0-42)", async () => {
    const host = open();
    const showToast = (toast: (typeof host.toasts)[0]): number => host.toasts.push(toast);
    expect(cancelLoopCommand(host.hook, { showToast }, "s1")).toBe(false);
    await host.clock.calm();
    expect(host.toasts).toEqual([
      { title: "No Active Loop", message: "No Ralph Loop is currently running", variant: "info" },
    ]);
    host.hook.startLoop("s1", "x");
    expect(cancelLoopCommand(host.hook, { showToast }, "s1")).toBe(true);
  });
});
