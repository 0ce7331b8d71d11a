import type { BusMessage } from "./message.ts";

const legacyLine = /^\[(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})\] ([^\s:][^:]*): ?(.*?)\r?$/;

/** Reads the old one-line form `[YYYY-MM-DD HH:MM:SS] TYPE: body`; its id is the number of its line, from 1. */
export function parseLegacyLine(text: string, lineNumber: number): BusMessage | null {
  const [, date, time, type = "", body = ""] = legacyLine.exec(text) ?? [];
  if (date === undefined || time === undefined) return null;
  return {
    id: `LEGACY-LINE-${String(lineNumber).padStart(9, "0")}`,
    at: `${date}T${time}Z`,
    type: type.trim(),
    projectId: "",
    taskId: null,
    runId: null,
    issueId: null,
    parents: [],
    links: [],
    meta: {},
    body,
  };
}
