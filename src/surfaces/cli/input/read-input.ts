import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { durationText, parseDuration, unitRemedy } from "../../../core/text/duration.ts";

/** Options of the command line, read one by one; a wrong value is a usage error with its flag. */
export type Options = Record<string, unknown>;

/** A text option, or null when it was not given. */
export function textOption(options: Options, name: string): string | null {
  const value = options[name];
  return typeof value === "string" ? value : null;
}

/** The values of an option that may be given several times, or null when it was not given. */
export function listOption(options: Options, name: string): string[] | null {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : null;
}

/** Whether a switch was given. */
export function isOn(options: Options, name: string): boolean {
  return options[name] === true;
}

/** A whole number of at least one; anything else is refused. */
export function countOption(options: Options, name: string, flag: string): number | null {
  const text = textOption(options, name);
  if (text === null) return null;
  const value = Number(text);
  if (/^\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value >= 1) return value;
  throw new RalphError("usage", `${flag} takes a whole number of at least 1, found "${text}".`);
}

/** An amount of US dollars above zero. */
export function amountOption(options: Options, name: string, flag: string): number | null {
  const text = textOption(options, name);
  if (text === null) return null;
  const value = Number(text.replace(/^\$/, ""));
  if (Number.isFinite(value) && value > 0) return value;
  throw new RalphError("usage", `${flag} takes an amount above zero such as 5 or 2.50, found "${text}".`);
}

/** A duration such as `90s`, in milliseconds. */
export function durationOption(options: Options, name: string, flag: string): number | null {
  const text = textOption(options, name);
  if (text === null) return null;
  const value = parseDuration(text);
  const remedy = unitRemedy(text, (each) => `${flag} ${each}`);
  if (value !== null && value > 0 && remedy === null) return value;
  const more = remedy === null ? "" : ` A duration needs a unit: ${remedy}.`;
  throw new RalphError("usage", `${flag} takes a duration such as 90s, 30m or 2h, found "${text}".${more}`);
}

/** The same as a setting writes it. */
export function durationTextOption(options: Options, name: string, flag: string): string | null {
  const value = durationOption(options, name, flag);
  return value === null ? null : durationText(value);
}

/** The project directory without links, so that one directory has one name. */
export function projectDirOption(options: Options): string {
  return existingDirectory(textOption(options, "projectDir") ?? ".", "-C");
}

/** The directory whose runs a command means: that of a supervised task, else the project's. */
export function runDirOption(options: Options): string {
  const taskDir = textOption(options, "taskDir");
  return taskDir === null ? projectDirOption(options) : existingDirectory(taskDir, "--task-dir");
}

function existingDirectory(given: string, flag: string): string {
  const path = resolve(given);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new RalphError("usage", `${path} is not a directory.`, `Give an existing directory with ${flag}.`);
  return realpathSync(path);
}
