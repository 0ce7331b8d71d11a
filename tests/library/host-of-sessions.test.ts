import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createRalphLoopHook, type RalphLoopHook, type RalphLoopOptions, type Toast } from "../../src/index.ts";
import { patient } from "../patience.ts";

/** A host as a stranger writes it: a list of messages, and the four callbacks around it. */
type Host = {
  hook: RalphLoopHook;
  messages: { role?: string; content?: string }[];
  toasts: Toast[];
  /** The session goes idle after the agent said this. */
  idles(words: string): Promise<void>;
  /** The same host after its process was started again. */
  restart(): Host;
};

const sessionId = "session-1";

function openHost(): Host {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-host-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return hostIn(folder, []);
}

function hostIn(folder: string, messages: Host["messages"]): Host {
  const toasts: Toast[] = [];
  const options: RalphLoopOptions = {
    workdir: folder,
    config: { stateDir: join(folder, "loops"), continuationDelay: 1 },
    getMessages: async () => messages,
    injectPrompt: async (_, prompt) => void messages.push({ role: "user", content: prompt }),
    showToast: (toast) => void toasts.push(toast),
    checkSessionExists: async (id) => id === sessionId,
    log: () => {},
  };
  const hook = createRalphLoopHook(options);
  onTestFinished(() => hook.dispose());
  return {
    hook,
    messages,
    toasts,
    async idles(words) {
      messages.push({ role: "assistant", content: words });
      await hook.handler({ event: "session.idle", sessionId });
    },
    restart() {
      hook.dispose();
      return hostIn(folder, messages);
    },
  };
}

function begin(host: Host, maxIterations = 5): void {
  expect(host.hook.startLoop(sessionId, "Refactor the database layer", { maxIterations })).toBe(true);
  host.messages.push({ role: "user", content: "Refactor the database layer" });
}

/** Waits for the continuation of an iteration. */
async function continues(host: Host, iteration: number, limit = 5): Promise<void> {
  await vi.waitFor(
    () => {
      expect(host.messages.at(-1)?.content).toContain(`[RALPH LOOP - ITERATION ${iteration}/${limit}]`);
      expect(host.hook.getState(sessionId)?.iteration).toBe(iteration);
    },
    { timeout: patient(10_000) },
  );
}

const titles = ({ toasts }: Host): string[] => toasts.map(({ title }) => title);

describe("a host of sessions, by the public functions alone", () => {
  it("starts a loop and finds its state saved (S0-22)", () => {
    const host = openHost();
    begin(host);
    expect(host.hook.getState(sessionId)).toMatchObject({ active: true, iteration: 1, maxIterations: 5 });
    expect(host.hook.isLoopActive(sessionId)).toBe(true);
  });

  it("continues for several iterations and completes with the promise (S0-34, S0-37, S0-45)", async () => {
    const host = openHost();
    begin(host);
    await host.idles("Half of it.");
    await continues(host, 2);
    await host.idles("Nearly.");
    await continues(host, 3);
    await host.idles("All of it.\n<promise>DONE</promise>");
    await host.hook.settled();
    expect(host.hook.getState(sessionId)).toBeNull();
    expect(titles(host)).toEqual(["Ralph Loop Started", "Ralph Loop", "Ralph Loop", "Ralph Loop Complete!"]);
  });

  it("stops at the limit (S0-36)", async () => {
    const host = openHost();
    begin(host, 2);
    await host.idles("Half of it.");
    await continues(host, 2, 2);
    await host.idles("Nearly.");
    await host.hook.settled();
    expect(host.hook.getState(sessionId)).toBeNull();
    expect(host.toasts.at(-1)).toMatchObject({ title: "Ralph Loop Stopped", variant: "warning" });
  });

  it.each(["AbortError", "MessageAbortedError"])("ends when a person aborts, told by %s (S0-29)", async (name) => {
    const host = openHost();
    begin(host);
    await host.hook.handler({ event: "session.error", sessionId, data: { error: { name } } });
    expect(host.hook.isLoopActive(sessionId)).toBe(false);
  });

  it("gives no prompt while a session recovers from another error (S0-30, S0-31)", async () => {
    const host = openHost();
    begin(host);
    await host.hook.handler({ event: "session.error", sessionId, data: { error: { name: "ProviderError" } } });
    await host.idles("Sorry.");
    await host.hook.heard(sessionId);
    expect(host.messages.at(-1)).toEqual({ role: "assistant", content: "Sorry." });
    expect(host.hook.getState(sessionId)?.iteration).toBe(1);
  });

  it("continues after a restart of the host (S0-45)", async () => {
    const host = openHost();
    begin(host);
    await host.idles("Half of it.");
    await continues(host, 2);
    const again = host.restart();
    expect(again.hook.getState(sessionId)?.iteration).toBe(2);
    await again.idles("Nearly.");
    await continues(again, 3);
  });

  it("forgets the loop of a deleted session, and cancels nothing twice (S0-25, S0-28)", async () => {
    const host = openHost();
    begin(host);
    await host.hook.handler({ event: "session.deleted", sessionId, data: { sessionId } });
    expect(host.hook.getState(sessionId)).toBeNull();
    begin(host);
    expect([host.hook.cancelLoop(sessionId), host.hook.cancelLoop(sessionId)]).toEqual([true, false]);
  });
});
