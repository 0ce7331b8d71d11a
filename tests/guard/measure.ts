import { judgeCommand } from "../../src/core/guard/judge-command.ts";
import { judgeToolCall } from "../../src/core/guard/judge-tool-call.ts";
import type { CallContext } from "../../src/core/guard/facts/call-context.ts";
import { place as standardPlace, type Row, type ToolRow } from "./corpus.ts";

/** How well the guard does on a set: how much of the danger it refuses, and which harmless lines it stops or warns about. */
export type Measure = { recall: number; missed: string[]; falseAlarms: string[] };

/** Judges a whole set. */
export function measure(dangerous: readonly Row[], harmless: readonly Row[], place = standardPlace): Measure {
  const decide = (row: Row): string => judgeCommand(row.command, place).decision;
  const missed = dangerous.filter((row) => decide(row) !== "block").map((row) => row.command);
  const falseAlarms = harmless.filter((row) => decide(row) !== "allow").map((row) => row.command);
  return { recall: 1 - missed.length / dangerous.length, missed, falseAlarms };
}

/** Judges a whole set of tool calls. */
export function measureTools(
  dangerous: readonly ToolRow[],
  harmless: readonly ToolRow[],
  place: CallContext = standardPlace,
): Measure {
  const decide = ({ tool, input }: ToolRow): string => judgeToolCall({ tool, input, place }).decision;
  const show = ({ tool, input }: ToolRow): string => `${tool} ${JSON.stringify(input)}`;
  const missed = dangerous.filter((row) => decide(row) !== "block").map(show);
  const falseAlarms = harmless.filter((row) => decide(row) !== "allow").map(show);
  return { recall: 1 - missed.length / dangerous.length, missed, falseAlarms };
}

/** The figures of a set in one line. */
export function figuresOf(name: string, { recall, missed, falseAlarms }: Measure): string {
  return `${name}: recall ${recall.toFixed(3)}, ${missed.length} missed, ${falseAlarms.length} false alarms`;
}
