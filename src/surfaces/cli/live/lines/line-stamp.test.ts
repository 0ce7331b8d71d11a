import { expect, it } from "vitest";
import { lineStamp } from "./line-stamp.ts";

const at = new Date(2026, 1, 5, 10, 0, 7);

it.each([
  ["is empty unless asked for (S1-77)", { hasTimestamps: false }, ["", ""]],
  ["is the time (S1-77)", { hasTimestamps: true }, ["[10:00:07] ", "[10:00:07] "]],
  [
    "has the date in a dated run, before ralph's lines alone (S3-19)",
    { hasTimestamps: false, isDated: true },
    [dated(), ""],
  ],
  [
    "has it before the agent's lines, too, when asked for (S3-19)",
    { hasTimestamps: true, isDated: true },
    [dated(), dated()],
  ],
])("a stamp %s", (_, display, expected) => {
  expect([lineStamp(display, "ralph", at), lineStamp(display, "agent", at)]).toEqual(expected);
});

function dated(): string {
  return "[2026-02-05 10:00:07] ";
}
