import { resolve } from "node:path";
import {
  aFunction,
  anObject,
  anyText,
  aSink,
  flag,
  listOf,
  type OptionRules,
  orNull,
  readOptions,
  ruleOf,
  text,
} from "../../../app/read-options.ts";
import { type HostedLoops, type LoopHosting, openHostedLoops } from "../../../app/session/hosted-loops.ts";
import { fieldOf } from "../../../core/session/field-of.ts";
import { hostErrorText } from "../../../core/session/host-error-text.ts";
import {
  areContinued,
  continuationDelayMsMax,
  isContinuationDelay,
  mergeLoopConfig,
  ralphLoopHookName,
  type RalphLoopConfig,
  type StartLoopOptions,
} from "../../../core/session/loop/loop-config.ts";
import { type Toast, toastOf } from "../../../core/session/loop/loop-notice.ts";
import { isCount, isSessionId, type RalphLoopState } from "../../../core/session/loop/loop-state.ts";
import type { SessionMessage } from "../../../core/session/session-message.ts";
import type { Clock } from "../../../shell/ports.ts";
import type { LoopLog } from "../../../shell/sessions/loop-log.ts";
import type { SessionChecks } from "../../../shell/sessions/session-host.ts";
import type { SessionStore } from "../../../shell/sessions/session-store.ts";
import type { Sink } from "../../../shell/sinks/sink.ts";
import { showToast } from "./show-toast.ts";

/**
 * What a host offers; every callback is optional, guarded and limited to five seconds (S0-07, CW-0J).
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type RalphLoopOptions } from "ralph";
 *
 * const options: RalphLoopOptions = {
 *   workdir: process.cwd(),
 *   getMessages: async () => [{ role: "assistant", content: "<promise>DONE</promise>" }],
 *   injectPrompt: async (sessionId, prompt) => console.log(sessionId, prompt),
 * };
 * createRalphLoopHook(options).dispose();
 * ```
 */
export type RalphLoopHookOptions = {
  config?: Partial<RalphLoopConfig>;
  /** Where the sessions work; the current directory. */
  workdir?: string;
  /** The name of this program: only its own sessions can be orphans. */
  hostName?: string;
  /** All messages of a session, oldest first. Without it no promise is ever seen. */
  getMessages?: (sessionId: string) => Promise<readonly SessionMessage[]>;
  /** Gives the agent a prompt. Resolving means that it was taken. */
  injectPrompt?: (sessionId: string, prompt: string) => Promise<unknown>;
  showToast?: (toast: Toast) => unknown;
  /** Without it no loop is ever taken for an orphan. */
  checkSessionExists?: (sessionId: string) => Promise<boolean>;
  /** Work that the agent left in the background and that will wake it: the loop waits for it. */
  hasPendingWork?: (sessionId: string) => Promise<boolean>;
  /**
   * Whether anything has changed since the loop began; null: nobody can tell. With it a loop without checks refuses a
   * promise as long as nothing has.
   */
  hasChanged?: (sessionId: string) => Promise<boolean | null>;
  /**
   * Checks that must pass before a promise completes the loop. Absent: the guardrails and criteria of the project in
   * `workdir`, as they are when the loop starts. Null: none, the promise alone completes.
   */
  criteria?: SessionChecks | null;
  /** The console. */
  log?: LoopLog;
  clock?: Clock;
  /** Instead of files. */
  store?: SessionStore;
  /** Readers of each step of a loop, once it is stored. */
  sinks?: Sink[];
};

/**
 * The events a loop lives on (S0-08), and the word of a person where the host tells of it.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type RalphLoopEvent } from "ralph";
 *
 * const event: RalphLoopEvent = { event: "session.deleted", sessionId: "session-1" };
 * const hook = createRalphLoopHook();
 * await hook.handler(event);
 * hook.dispose();
 * ```
 */
export type RalphLoopEvent = {
  event: string;
  sessionId?: string;
  data?: unknown;
};

/**
 * A loop for the sessions of a host. Its handler never throws: a hook of ours never breaks its host.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type RalphLoopHook } from "ralph";
 *
 * const registry = new Map<string, RalphLoopHook>();
 * const hook = createRalphLoopHook();
 * registry.set(hook.name, hook);
 * console.log(registry.get("ralph-loop")?.events);
 * hook.dispose();
 * ```
 */
export type RalphLoopHook = {
  name: string;
  description: string;
  /** Recovery hooks come first. */
  priority: number;
  /** A list of its own, typed as narrowly as hosts type theirs. */
  events: ("session.idle" | "session.error" | "session.deleted")[];
  handler(event: RalphLoopEvent): Promise<void>;
  /** The first prompt is the caller's to give. False, with a warning, when there is no loop now. */
  startLoop(sessionId: string, prompt: string, options?: StartLoopOptions): boolean;
  cancelLoop(sessionId: string): boolean;
  /** Without a session, the newest loop of the directory. */
  getState(sessionId?: string): RalphLoopState | null;
  isLoopActive(sessionId: string): boolean;
  /** Settles when what is known of one session is heard: a prompt given after it is not taken for an older one. */
  heard(sessionId: string): Promise<void>;
  /** Settles when nothing is at work and no continuation waits. */
  settled(): Promise<void>;
  /** Drops every wait; stored loops continue with the next idle event of their session. */
  dispose(): void;
};

/**
 * Makes a loop for a host's sessions (S0-06, S0-08).
 *
 * @example
 * ```ts
 * import { createRalphLoopHook } from "ralph";
 *
 * const messages = [{ role: "user", content: "Fix the tests." }];
 * const hook = createRalphLoopHook({
 *   workdir: process.cwd(),
 *   config: { stateDir: "loops", continuationDelay: 0 },
 *   getMessages: async () => messages,
 *   injectPrompt: async (_, prompt) => void messages.push({ role: "user", content: prompt }),
 *   criteria: null,
 * });
 * hook.startLoop("session-1", "Fix the tests.", { maxIterations: 25 });
 * messages.push({ role: "assistant", content: "They are green.\n<promise>DONE</promise>" });
 * await hook.handler({ event: "session.idle", sessionId: "session-1" });
 * await hook.settled();
 * console.log(hook.isLoopActive("session-1")); // false
 * hook.dispose();
 * ```
 */
export function createRalphLoopHook(options: RalphLoopHookOptions = {}): RalphLoopHook {
  readOptions("createRalphLoopHook", options, rules);
  readOptions("createRalphLoopHook", options.config ?? {}, configRules, "config");
  const config = mergeLoopConfig(options.config);
  const loops = openHostedLoops(hostingOf(options, config));
  return {
    name: ralphLoopHookName,
    description: "Agentic iteration loop for autonomous task completion",
    priority: 50,
    events: [...events],
    async handler(event) {
      try {
        await handle(loops, areContinued(config), readEvent(event));
      } catch (error) {
        const what = "The loop met a fault of its own";
        loops.announce({ type: "fault", sessionId: "", what, error: hostErrorText(error) });
      }
    },
    startLoop: (sessionId, prompt, startOptions) => loops.start(sessionId, prompt, startOptions ?? {}),
    cancelLoop: (sessionId) => loops.cancel(sessionId),
    getState: (sessionId) => loops.find(sessionId),
    isLoopActive: (sessionId) => isSessionId(sessionId) && loops.find(sessionId)?.active === true,
    heard: (sessionId) => loops.heard(sessionId),
    settled: () => loops.settled(),
    dispose: () => loops.close(),
  };
}

const rules: OptionRules<RalphLoopHookOptions> = {
  config: orNull(anObject),
  workdir: anyText,
  hostName: anyText,
  getMessages: aFunction,
  injectPrompt: aFunction,
  showToast: aFunction,
  checkSessionExists: aFunction,
  hasPendingWork: aFunction,
  hasChanged: aFunction,
  criteria: orNull(anObject),
  log: aFunction,
  clock: anObject,
  store: anObject,
  sinks: listOf(aSink),
};

const configRules: OptionRules<Partial<RalphLoopConfig>> = {
  enabled: flag,
  defaultMaxIterations: ruleOf("a whole number of at least 1", isCount),
  defaultCompletionPromise: text,
  continuationDelay: ruleOf(`milliseconds from 0 to ${continuationDelayMsMax}`, isContinuationDelay),
  stateDir: text,
};

function hostingOf(options: RalphLoopHookOptions, config: RalphLoopConfig): LoopHosting {
  return {
    workdir: resolve(options.workdir ?? process.cwd()),
    config,
    hostName: options.hostName,
    getMessages: options.getMessages ?? (() => Promise.resolve([])),
    host: {
      inject: options.injectPrompt ?? (() => Promise.resolve()),
      exists: options.checkSessionExists ?? null,
      hasPendingWork: options.hasPendingWork ?? null,
      ...(options.hasChanged === undefined ? {} : { hasChanged: options.hasChanged }),
    },
    criteria: options.criteria,
    log: options.log,
    onNotice: (notice) => showToast(options.showToast, toastOf(notice)),
    clock: options.clock,
    store: options.store,
    sinks: options.sinks ?? [],
  };
}

async function handle(loops: HostedLoops, isEnabled: boolean, { event, id, data }: ReadEvent): Promise<void> {
  if (!isHandled(event)) return;
  if (id === null) {
    const error = "it names no session: expected a text as sessionId";
    if (loops.find() !== null)
      loops.announce({ type: "fault", sessionId: "", what: `Ignored a ${event} event`, error });
    return;
  }
  if (event === "session.deleted") return loops.tell(id, { type: "deleted" });
  if (event === "session.idle") {
    if (isEnabled) return loops.tell(id, { type: "idle" });
    const error = "the configuration says enabled: false";
    if (loops.find(id) !== null) loops.announce({ type: "fault", sessionId: id, what: "Loop not continued", error });
    return;
  }
  const { name, message } = errorOf(data);
  const isAbort = name === "MessageAbortedError" || name === "AbortError";
  return loops.tell(id, isAbort ? { type: "abort" } : { type: "error", message });
}

const events = ["session.idle", "session.error", "session.deleted"] as const;

function isHandled(event: string): boolean {
  return events.some((known) => known === event);
}

type ReadEvent = { event: string; id: string | null; data: unknown };

/** An event as far as it can be read, whatever a host hands over. */
function readEvent(value: unknown): ReadEvent {
  const [event, data, beside] = [fieldOf(value, "event"), fieldOf(value, "data"), fieldOf(value, "sessionId")];
  const id = sessionIdOf(data) ?? beside;
  return { event: typeof event === "string" ? event : "", id: isSessionId(id) ? id : null, data };
}

/** The session's id as hosts give it: beside the event, in its data, or one level deeper. */
function sessionIdOf(data: unknown): string | undefined {
  const info = fieldOf(data, "info");
  const own = ["sessionId", "sessionID"].map((name) => fieldOf(data, name));
  return [...own, ...["sessionId", "sessionID", "id"].map((name) => fieldOf(info, name))].find(isSessionId);
}

function errorOf(data: unknown): { name: string; message: string } {
  const error = fieldOf(data, "error") ?? data;
  const name = fieldOf(error, "name");
  const said = fieldOf(error, "message") ?? fieldOf(fieldOf(error, "data"), "message");
  return {
    name: typeof name === "string" ? name : "",
    message: typeof said === "string" ? said : `${typeof name === "string" ? name : "an error"} of the host`,
  };
}
