import { hostErrorText } from "../../core/session/host-error-text.ts";
import { planLoop, type RalphLoopConfig, type StartLoopOptions } from "../../core/session/loop/loop-config.ts";
import type { LoopNotice } from "../../core/session/loop/loop-notice.ts";
import { isSessionId, loopStartTime, type RalphLoopState } from "../../core/session/loop/loop-state.ts";
import type { SessionMessage } from "../../core/session/session-message.ts";
import { unknownHost } from "../../core/session/session-record.ts";
import { isHeldToProject } from "../../core/session/stops/session-checks.ts";
import { createInSessionDriver, type InSessionDriver } from "../../shell/drivers/session/in-session-driver.ts";
import type { Clock } from "../../shell/ports.ts";
import { realClock } from "../../shell/lib/real-clock.ts";
import { consoleLog, logNotice, type LoopLog } from "../../shell/sessions/loop-log.ts";
import { newestOf, openSessions } from "../../shell/sessions/loop-state-files.ts";
import type { SessionChecks, SessionHost } from "../../shell/sessions/session-host.ts";
import type { SessionStore } from "../../shell/sessions/session-store.ts";
import { withSinks } from "../../shell/sinks/session-sinks.ts";
import type { Sink } from "../../shell/sinks/sink.ts";
import { standingSinks } from "../../shell/sinks/standing-sinks.ts";
import { createProjectChecks, type ProjectChecks } from "./checks/project-checks.ts";

/** A program that lives while its sessions do, and what it brings along for their loops. */
export type LoopHosting = {
  workdir: string;
  config: RalphLoopConfig;
  hostName: string | undefined;
  getMessages: (sessionId: string) => Promise<readonly SessionMessage[]>;
  host: Omit<SessionHost, "name" | "directory" | "getMessages" | "checks" | "tell">;
  /** Absent: the checks of the project. Null: none. */
  criteria: SessionChecks | null | undefined;
  /** The console where none is given. */
  log: LoopLog | undefined;
  /** Told of each notice once it is logged. */
  onNotice: (notice: LoopNotice) => void;
  clock: Clock | undefined;
  /** Instead of files. */
  store: SessionStore | undefined;
  sinks: readonly Sink[];
};

/** The loops of a program's sessions. */
export type HostedLoops = Pick<InSessionDriver, "tell" | "heard" | "settled" | "close"> & {
  /** Logs a notice and hands it to the host. */
  announce(notice: LoopNotice): void;
  /** False, with a warning, when there is no loop now. */
  start(sessionId: string, prompt: string, options: StartLoopOptions): boolean;
  cancel(sessionId: string): boolean;
  /** Without a session, the newest loop of the directory. */
  find(sessionId?: string): RalphLoopState | null;
};

/** Opens the loops of a program that lives while its sessions do. */
export function openHostedLoops(hosting: LoopHosting): HostedLoops {
  const { workdir, config, hostName, getMessages, criteria, log = consoleLog, clock = realClock } = hosting;
  const { stateDir, continuationDelay } = config;
  const place = { workdir, log, continuationDelay, host: hostName ?? unknownHost };
  const files = (): SessionStore => openSessions({ ...place, ...(stateDir === undefined ? {} : { stateDir }) });
  const store = withSinks(hosting.store ?? files(), [...standingSinks, ...hosting.sinks]);
  const project = isHeldToProject(criteria) ? createProjectChecks(workdir, getMessages) : null;
  const announce = (notice: LoopNotice): void => {
    logNotice(log, notice);
    hosting.onNotice(notice);
  };
  const named = hostName === undefined ? {} : { name: hostName };
  const checks = criteria ?? project?.checks ?? null;
  const host = { ...hosting.host, ...named, getMessages, tell: announce, checks, directory: workdir };
  const driver = createInSessionDriver({ store, clock, host });
  const find = (sessionId: unknown) => (isSessionId(sessionId) ? store.read(sessionId) : null);
  return {
    announce,
    tell: (sessionId, news) => driver.tell(sessionId, news),
    heard: (sessionId) => driver.heard(sessionId),
    settled: () => driver.settled(),
    close: () => driver.close(),
    start(sessionId, prompt, options) {
      const startedAt = loopStartTime(find(sessionId), clock.now());
      const loop = planLoop(config, { sessionId, prompt, options, startedAt });
      const refusal = typeof loop === "string" ? loop : beginChecks(project, sessionId);
      if (typeof loop !== "string" && refusal === null)
        return driver.start(loop, { directory: workdir, continuationDelay });
      logNotice(log, { type: "not-started", sessionId, reason: refusal ?? "" });
      return false;
    },
    cancel: (sessionId) => isSessionId(sessionId) && driver.cancel(sessionId),
    find: (sessionId) => (sessionId === undefined ? newestOf(store.list(), workdir) : find(sessionId))?.loop ?? null,
  };
}

/** Null: they are ready. */
function beginChecks(project: ProjectChecks | null, sessionId: string): string | null {
  try {
    project?.begin(sessionId);
    return null;
  } catch (error) {
    return `The checks of the project cannot be read: ${hostErrorText(error)}`;
  }
}
