import { logLineOf, type LoopNotice } from "../../core/session/loop-notice.ts";
import type { SessionMessage } from "../../core/session/session-message.ts";
import { createInSessionDriver, type InSessionDriver } from "../../shell/drivers/session/in-session-driver.ts";
import { realClock } from "../../shell/lib/real-clock.ts";
import { type FileFault, openFileSessions } from "../../shell/sessions/file-session-store.ts";
import { logFault } from "../../shell/sessions/loop-log.ts";
import type { SessionChecks } from "../../shell/sessions/session-host.ts";
import type { SessionStore } from "../../shell/sessions/session-store.ts";
import type { HookTools } from "./hook-tools.ts";
import { hasChangedSinceStart } from "./tree-mark.ts";
import type { HostEvent } from "./host-event.ts";

/** The loop of a session as one hook sees it: it lives for one event and hands out what it would inject. */
export type SessionLoop = {
  driver: InSessionDriver;
  store: SessionStore;
  /** Prompts for the agent; the host gets the last one as its answer. */
  prompts: string[];
  notices: LoopNotice[];
  /** Why its state could not be read or stored, in order. */
  faults: string[];
};

/** Opens the loop of the event's session. Nothing waits before a continuation: the host is asking right now. */
export const continuationDelay = 0;

export function openSessionLoop(
  event: HostEvent,
  tools: HookTools,
  given: { messages: readonly SessionMessage[]; checks: SessionChecks | null },
): SessionLoop {
  const faults: string[] = [];
  const store = openStore(event, tools, ({ error }) => void faults.push(error));
  const prompts: string[] = [];
  const notices: LoopNotice[] = [];
  const driver = createInSessionDriver({
    store,
    clock: realClock,
    host: {
      name: tools.host.name,
      directory: event.projectDir,
      getMessages: () => Promise.resolve(given.messages),
      inject: (_sessionId, prompt) => Promise.resolve(void prompts.push(prompt)),
      exists: (sessionId) =>
        Promise.resolve(isQuick(store, sessionId) || event.transcript.hasSession(sessionId) !== false),
      hasPendingWork: () => Promise.resolve(event.pendingWork.length > 0),
      hasChanged: () => Promise.resolve(hasChangedSinceStart(event, tools)),
      checks: given.checks,
      tell: (notice) => {
        notices.push(notice);
        tools.log(logLineOf(notice));
      },
    },
  });
  return { driver, store, prompts, notices, faults };
}

/** A session that has just begun has no record yet, and some never have one: a loop of the last day is somebody's. */
function isQuick(store: SessionStore, sessionId: string): boolean {
  const loop = store.read(sessionId)?.loop;
  return loop !== undefined && Date.now() - Date.parse(loop.lastIterationAt ?? loop.startedAt) < dayMs;
}

const dayMs = 24 * 3_600_000;

/** The loops of all sessions; those of other directories are listed nowhere here. Faults are logged and told. */
export function openStore(
  event: HostEvent,
  tools: HookTools,
  onFault: (fault: FileFault) => void = () => undefined,
): SessionStore {
  const directory = event.projectDir;
  const store = openFileSessions({
    folder: tools.sessionsFolder,
    host: tools.host.name,
    oldFiles: [],
    defaults: { directory, continuationDelay },
    onFault: (fault) => {
      logFault(tools.log, fault);
      onFault(fault);
    },
  });
  return { ...store, list: () => store.list().filter((record) => record.directory === directory) };
}

/** Loops of other sessions in this directory, as one sentence each. */
export function foreignLoops(event: HostEvent, store: SessionStore): string[] {
  return store
    .list()
    .filter(({ loop }) => loop.active && loop.sessionId !== event.sessionId)
    .map(({ loop }) => {
      const at = `iteration ${loop.iteration} of ${loop.maxIterations}`;
      return `Session ${loop.sessionId} has a Ralph loop in this directory, at ${at}; this session leaves it alone.`;
    });
}
