import type { Outcome } from "../../run/outcome.ts";
import { ralphLoopHookName } from "./loop-config.ts";
import type { RalphLoopState } from "./loop-state.ts";

/**
 * A short message on the host's screen.
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type Toast } from "ralph";
 *
 * const showToast = ({ title, message }: Toast): void => console.log(`${title}: ${message}`);
 * createRalphLoopHook({ showToast }).dispose();
 * ```
 */
export type Toast = {
  title: string;
  message: string;
  variant: "info" | "success" | "warning" | "error";
  duration?: number;
};

/**
 * A line of the log; `text` bears the hook's name, `fields` the facts (S0-48).
 *
 * @example
 * ```ts
 * import { createRalphLoopHook, type LogLine } from "ralph";
 *
 * const log = ({ level, text }: LogLine): void => console.log(level, text);
 * createRalphLoopHook({ log }).dispose();
 * ```
 */
export type LogLine = { level: "info" | "warning" | "error"; text: string; fields: Record<string, unknown> };

/** What happened to a loop, for people. */
export type LoopNotice =
  | { type: "started" | "restarted" | "continuing" | "deleted" | "aborted" | "in-recovery"; loop: RalphLoopState }
  | { type: "ended"; loop: RalphLoopState; outcome: Outcome }
  | { type: "not-injected"; loop: RalphLoopState; error: string }
  | { type: "not-stored"; loop: RalphLoopState }
  | { type: "not-started"; sessionId: string; reason: string }
  | { type: "orphaned"; loop: RalphLoopState; currentSessionId: string }
  | { type: "foreign"; loop: RalphLoopState; currentSessionId: string }
  | { type: "nothing-to-cancel"; sessionId: string }
  | { type: "fault"; sessionId: string; what: string; error: string };

/** The toast of a notice, or none. Texts are fixed by S0-23, S0-25, S0-34, S0-36, S0-37 and S0-42. */
export function toastOf(notice: LoopNotice): Toast | null {
  switch (notice.type) {
    case "started":
    case "restarted": {
      const { maxIterations, completionPromise } = notice.loop;
      const message = `Max ${maxIterations} iterations. Complete with <promise>${completionPromise}</promise>`;
      return { title: "Ralph Loop Started", message, variant: "info", duration: 3000 };
    }
    case "continuing": {
      const { iteration, maxIterations } = notice.loop;
      const message = `Iteration ${iteration}/${maxIterations}`;
      return { title: "Ralph Loop", message, variant: "info", duration: 2000 };
    }
    case "ended":
      return endToast(notice.loop, notice.outcome);
    case "not-injected":
      return stopped(`Failed to inject continuation: ${notice.error}`);
    case "not-stored":
      return stopped("The loop's state could not be stored; the log says why");
    case "nothing-to-cancel":
      return { title: "No Active Loop", message: "No Ralph Loop is currently running", variant: "info" };
    case "not-started":
      return { title: "Ralph Loop Not Started", message: notice.reason, variant: "warning", duration: 5000 };
    case "deleted":
    case "aborted":
    case "in-recovery":
    case "orphaned":
    case "foreign":
    case "fault":
      return null;
  }
}

/** The log line of a notice. */
export function logLineOf(notice: LoopNotice): LogLine {
  const [level, text, fields] = lineOf(notice);
  return { level, text: `[${ralphLoopHookName}] ${text}`, fields };
}

function endToast(loop: RalphLoopState, { name, reason, isVerified }: Outcome): Toast {
  if (name === "completed") {
    const word = isVerified === false ? ", unverified: met by the claim alone" : "";
    const message = `Task completed after ${loop.iteration} iteration(s)${word}`;
    return { title: "Ralph Loop Complete!", message, variant: "success", duration: 5000 };
  }
  if (name === "cancelled") {
    const message = `Stopped at iteration ${loop.iteration}`;
    return { title: "Ralph Loop Cancelled", message, variant: "info", duration: 2000 };
  }
  return stopped(name === "exhausted" ? `Max iterations (${loop.maxIterations}) reached without completion` : reason);
}

function stopped(message: string): Toast {
  return { title: "Ralph Loop Stopped", message, variant: "warning", duration: 5000 };
}

type Line = [level: LogLine["level"], text: string, fields: Record<string, unknown>];

function lineOf(notice: LoopNotice): Line {
  switch (notice.type) {
    case "started":
      return ["info", "Loop started", startFields(notice.loop)];
    case "restarted":
      return ["info", "Loop started; it replaces the one this session had", startFields(notice.loop)];
    case "continuing":
      return ["info", "Continuing loop", fieldsOf(notice.loop)];
    case "deleted":
      return ["info", "Session deleted, loop cleared", fieldsOf(notice.loop)];
    case "aborted":
      return ["info", "User aborted, loop cleared", fieldsOf(notice.loop)];
    case "in-recovery":
      return ["info", "Skipped: in recovery", fieldsOf(notice.loop)];
    case "ended":
      return endLine(notice.loop, notice.outcome);
    case "not-injected":
      return ["error", "Failed to inject continuation", { ...fieldsOf(notice.loop), error: notice.error }];
    case "not-stored":
      return ["error", "Failed to increment iteration", fieldsOf(notice.loop)];
    case "not-started":
      return ["warning", "Loop not started", { sessionId: notice.sessionId, reason: notice.reason }];
    case "orphaned":
      return ["info", "Cleared orphaned state", owners(notice)];
    case "foreign":
      return ["info", "Another session has a loop here; it is left alone", owners(notice)];
    case "nothing-to-cancel":
      return ["info", "No loop to cancel", { sessionId: notice.sessionId }];
    case "fault":
      return ["warning", notice.what, { sessionId: notice.sessionId, error: notice.error }];
  }
}

function endLine(loop: RalphLoopState, { name, reason }: Outcome): Line {
  if (name === "completed") return ["info", "Completion detected!", fieldsOf(loop)];
  if (name === "cancelled") return ["info", "Loop cancelled", fieldsOf(loop)];
  if (name === "exhausted") return ["warning", "Max iterations reached", fieldsOf(loop)];
  return ["warning", "Loop stopped", { ...fieldsOf(loop), reason }];
}

function startFields({ sessionId, maxIterations, completionPromise }: RalphLoopState): Record<string, unknown> {
  return { sessionId, maxIterations, completionPromise };
}

function fieldsOf({ sessionId, iteration, maxIterations, completionPromise }: RalphLoopState): Record<string, unknown> {
  return { sessionId, iteration, max: maxIterations, promise: completionPromise };
}

function owners(notice: { loop: RalphLoopState; currentSessionId: string }): Record<string, unknown> {
  return { orphanedSessionId: notice.loop.sessionId, currentSessionId: notice.currentSessionId };
}
