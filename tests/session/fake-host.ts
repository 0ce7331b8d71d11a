import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogLine, Toast } from "../../src/core/session/loop/loop-notice.ts";
import type { SessionMessage } from "../../src/core/session/session-message.ts";
import {
  createRalphLoopHook,
  type RalphLoopHook,
  type RalphLoopHookOptions,
} from "../../src/surfaces/hooks/loop/loop-hook.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";

/** A host with one list of messages a session, on a clock of its own and a scratch directory. */
export type FakeHost = {
  hook: RalphLoopHook;
  clock: FakeClock;
  directory: string;
  messages: Map<string, SessionMessage[]>;
  prompts: { sessionId: string; prompt: string }[];
  toasts: Toast[];
  log: LogLine[];
  /** The agent says something. */
  says(text: string, sessionId?: string): void;
  /** A person says something. */
  asks(text: string, sessionId?: string): void;
  idle(sessionId?: string): Promise<void>;
  fails(error: unknown, sessionId?: string): Promise<void>;
  /** The same host after a restart: a new hook on the same directory. */
  restart(): RalphLoopHook;
  close(): void;
};

/** Where every fake host's clock begins. */
export const hostStart = Date.UTC(2026, 10, 15, 12, 0, 0);

/** Opens a host; what is given replaces its callbacks. */
export function openHost(given: Partial<RalphLoopHookOptions> = {}): FakeHost {
  const directory = mkdtempSync(join(tmpdir(), "ralph-session-"));
  const clock = createFakeClock(hostStart);
  const messages = new Map<string, SessionMessage[]>();
  const of = (sessionId: string): SessionMessage[] => {
    const list = messages.get(sessionId) ?? [];
    messages.set(sessionId, list);
    return list;
  };
  const host = { prompts: [] as FakeHost["prompts"], toasts: [] as Toast[], log: [] as LogLine[] };
  const { config, ...rest } = given;
  const make = (): RalphLoopHook =>
    createRalphLoopHook({
      workdir: directory,
      clock,
      getMessages: async (sessionId) => [...of(sessionId)],
      injectPrompt: async (sessionId, prompt) => {
        host.prompts.push({ sessionId, prompt });
        of(sessionId).push({ role: "user", content: prompt });
      },
      showToast: (toast) => host.toasts.push(toast),
      log: (line) => host.log.push(line),
      config: { stateDir: join(directory, "state"), ...config },
      ...rest,
    });
  const open: FakeHost = {
    ...host,
    hook: make(),
    clock,
    directory,
    messages,
    says: (text, sessionId = "s1") => void of(sessionId).push({ role: "assistant", content: text }),
    asks: (text, sessionId = "s1") => void of(sessionId).push({ role: "user", content: text }),
    idle: async (sessionId = "s1") => {
      void open.hook.handler({ event: "session.idle", sessionId });
      await clock.calm();
    },
    fails: (error, sessionId = "s1") => open.hook.handler({ event: "session.error", sessionId, data: { error } }),
    restart: () => {
      open.hook.dispose();
      open.hook = make();
      return open.hook;
    },
    close: () => {
      open.hook.dispose();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return open;
}
