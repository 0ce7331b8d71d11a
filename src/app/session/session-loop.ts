import { isGone, mayBeOrphan } from "../../core/session/host-news.ts";
import { logLineOf, type LoopNotice } from "../../core/session/loop/loop-notice.ts";
import type { RalphLoopState } from "../../core/session/loop/loop-state.ts";
import { sessionOver } from "../../core/session/stops/native-stops.ts";
import type { News } from "../../core/run/news.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { hookClock } from "../../shell/lib/real-clock.ts";
import { type Stepped, stepSession } from "../../shell/drivers/session/session-step.ts";
import { type FileFault, openFileSessions } from "../../shell/sessions/file-session-store.ts";
import { logFault } from "../../shell/sessions/loop-log.ts";
import type { SessionStore } from "../../shell/sessions/session-store.ts";
import { withSinks } from "../../shell/sinks/session-sinks.ts";
import type { HookTools } from "./event/hook-tools.ts";
import type { HostEvent } from "./event/host-event.ts";

/** Nothing waits before a continuation: the host is asking right now. */
export const continuationDelay = 0;

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
    marksLoops: true,
    defaults: { directory, continuationDelay },
    onFault: (fault) => {
      logFault(tools.log, fault);
      onFault(fault);
    },
  });
  const told = withSinks(store, tools.sinks);
  return { ...told, list: (kind) => store.list(kind).filter((record) => record.directory === directory) };
}

/** One step of a session's loop. */
export function stepLoop(
  store: SessionStore,
  sessionId: string,
  news: (record: SessionRecord) => { record: SessionRecord; news: News[] } | null,
): Stepped {
  return stepSession({ store, clock: hookClock }, sessionId, news);
}

/** Ends the loop of a session; null: it has none, or its end could not be stored. */
export function endLoop(store: SessionStore, sessionId: string): RalphLoopState | null {
  const cancel: News = { type: "asked", request: "cancel", seq: null };
  const stepped = stepLoop(store, sessionId, (record) => ({ record, news: [cancel] }));
  return stepped.kind === "stepped" ? stepped.record.loop : null;
}

/** Ends the run of a session without a loop, when the session does. */
export function endStops(store: SessionStore, sessionId: string): void {
  const moment = { at: hookClock.now(), upMs: hookClock.upMs() };
  if (store.read(sessionId, "stops") === null) return;
  store.change(sessionId, (record) => (record === null ? null : sessionOver(record, moment)), "stops");
}

/** Writes what happened to a loop into the log of hooks. */
export function logLoop(tools: HookTools, notice: LoopNotice): void {
  tools.log(logLineOf(notice));
}

/** A session without a loop leaves those of others alone and says so in the log; what nobody owns any more goes. */
export function lookForOthers(store: SessionStore, event: HostEvent, tools: HookTools): void {
  const { sessionId: currentSessionId, projectDir: directory } = event;
  const asking = { name: tools.host.name, directory, sessionId: currentSessionId };
  for (const record of store.list().filter((each) => mayBeOrphan(each, asking))) {
    const { loop } = record;
    const isOrphan = isGone(record, event.transcript.hasSession(loop.sessionId), Date.now());
    if (!isOrphan) logLoop(tools, { type: "foreign", loop, currentSessionId });
    else if (endLoop(store, loop.sessionId) !== null) logLoop(tools, { type: "orphaned", loop, currentSessionId });
  }
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
