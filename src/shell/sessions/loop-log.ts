import { ralphLoopHookName } from "../../core/session/loop/loop-config.ts";
import { type LogLine, type LoopNotice, logLineOf } from "../../core/session/loop/loop-notice.ts";
import type { FileFault } from "./file-session-store.ts";

/** Where a hook's log lines go. Must not throw; who does is not asked again for that line. */
export type LoopLog = (line: LogLine) => void;

/** The host's own console, which hosts redirect where they want it. */
export const consoleLog: LoopLog = ({ level, text, fields }) => {
  const { console } = globalThis;
  if (level === "error") console.error(text, fields);
  else if (level === "warning") console.warn(text, fields);
  else console.info(text, fields);
};

/** What a fault of a state file is called (S0-11, S0-12, S0-13). */
export function logFault(log: LoopLog, { doing, error }: FileFault): void {
  say(log, { level: "warning", text: `[${ralphLoopHookName}] Failed to ${doing} state: ${error}`, fields: {} });
}

/** Logs what happened to a loop. */
export function logNotice(log: LoopLog, notice: LoopNotice): void {
  say(log, logLineOf(notice));
}

function say(log: LoopLog, line: LogLine): void {
  try {
    const said: unknown = log(line);
    void Promise.resolve(said).catch(() => {});
  } catch {
    // A log that throws has no place to say so; the loop continues without the line.
  }
}
