import { inlineCharsMax, type Verdict } from "../verification/verdict.ts";
import { fieldOf } from "./field-of.ts";

/**
 * The verdicts of a host's checks. Only `isPassed: true` passes: a verdict that cannot be read is red, and so is an
 * answer that is no list. A session has no place for long texts: their end, where the errors are, stays.
 */
export function readVerdicts(value: unknown): Verdict[] {
  if (!Array.isArray(value)) return [redVerdict("the checks gave no list of verdicts")];
  return Array.from({ length: value.length }, (_, at) => readVerdict(fieldOf(value, String(at)), at));
}

/** A verdict of checks that could not be run: nothing unverified completes. */
export function redVerdict(reason: string, index = 0): Verdict {
  return {
    index,
    name: "criteria",
    isPassed: false,
    exitCode: 1,
    isTimedOut: false,
    durationMs: 0,
    reason,
    output: { text: "" },
    logFile: null,
  };
}

/** A verdict where there is nothing to check but the agent's word. */
export const believedVerdict: Verdict = {
  ...redVerdict("no check is configured"),
  isPassed: true,
  exitCode: 0,
  isUnverified: true,
};

function readVerdict(value: unknown, at: number): Verdict {
  const isPassed = fieldOf(value, "isPassed");
  const red = redVerdict("the check gave no verdict: isPassed is not true or false", at);
  if (typeof isPassed !== "boolean") return red;
  const [index, exitCode, durationMs] = [
    fieldOf(value, "index"),
    fieldOf(value, "exitCode"),
    fieldOf(value, "durationMs"),
  ];
  const [name, reason, logFile] = [fieldOf(value, "name"), fieldOf(value, "reason"), fieldOf(value, "logFile")];
  return {
    index: isWhole(index) ? index : at,
    name: typeof name === "string" ? name : red.name,
    isPassed,
    exitCode: isWhole(exitCode) ? exitCode : Number(!isPassed),
    isTimedOut: fieldOf(value, "isTimedOut") === true,
    durationMs: typeof durationMs === "number" && durationMs >= 0 ? durationMs : 0,
    reason: typeof reason === "string" ? reason : "",
    output: { text: outputOf(fieldOf(value, "output")).slice(-inlineCharsMax) },
    logFile: typeof logFile === "string" ? logFile : null,
    ...(fieldOf(value, "isCached") === true ? { isCached: true } : {}),
    ...(fieldOf(value, "isFallback") === true ? { isFallback: true } : {}),
    ...(fieldOf(value, "isUnverified") === true ? { isUnverified: true } : {}),
  };
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** As a verdict has it, or simply a text. */
function outputOf(output: unknown): string {
  const text = typeof output === "string" ? output : fieldOf(output, "text");
  return typeof text === "string" ? text : "";
}
