import type { Settings } from "../../../core/settings/settings.ts";
import type { TaskEnd } from "../../../core/work/work-outcome.ts";
import type { WorkConnection } from "../../../shell/drivers/work/work-connection.ts";
import { startWords } from "./lines/start-words.ts";
import type { LiveConnection } from "./connect.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import type { Display } from "./display-options.ts";

/** Connects a work run to this terminal: its lines name task and role, and begin with the task when several run at once. */
export function connectWork(
  live: LiveConnection,
  { settings, display, jobs }: { settings: Settings; display: Display; jobs: number },
): WorkConnection {
  const tell = (value: object, line: string): void => {
    if (display.isJson) live.print(jsonResult(value));
    else live.say(cleanLine(line));
  };
  const tellMore = (value: object, line: string): void => {
    if (!display.isQuiet) tell(value, line);
  };
  return {
    onRequest: live.onRequest,
    ...(live.onTaking === undefined ? {} : { onTaking: live.onTaking }),
    ...(live.onSealing === undefined ? {} : { onSealing: live.onSealing }),
    onTaken: (run) =>
      tell({ kind: "work", ...run }, `Work ${run.id} ${startWords(run)}: ralph status, ralph show ${run.id}`),
    onNote: (level, text) => tellMore({ kind: "note", at: Date.now(), level, text }, `  ${text}`),
    onTaskEnd: (end) => tell({ kind: "task", ...end }, taskLine(end)),
    forRole: ({ taskId, role, round, runId }) => {
      const fields = { task: taskId, role, round, run: runId };
      const part = live.part({ settings, label: jobs > 1 ? taskId : null, fields });
      const where = round === 1 ? role : `${role}, round ${round}`;
      return {
        ...part,
        onTaken: (run) =>
          tellMore(
            { kind: "role", ...fields, isResumed: run.isResumed, isGuarded: run.isGuarded },
            `Task ${taskId}: ${where} ${startWords(run)} (run ${runId})`,
          ),
      };
    },
  };
}

/** How a task's part ended, in one line. */
export function taskLine({ id, status, outcome, reason }: TaskEnd): string {
  const how = outcome === null || status === "done" ? "" : ` ${outcome.name}:`;
  return `Task ${id}: ${outcome === null || status === "ready" ? "" : `${status},`}${how} ${reason}`
    .replace(/,(?= \w+ role)/, ".")
    .replaceAll(/ {2,}/g, " ");
}
