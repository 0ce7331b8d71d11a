import { isObject } from "../../text/is-object.ts";

/** A held-out check as people write it; `files` are paths outside of the project. */
export type HeldOutEntry = { name: string; command: string; files: string[]; hint: string | null; tasks: string[] };

/** The checks of a file, or what is wrong with it, a sentence each. */
export type HeldOutRead = { checks: HeldOutEntry[] } | { problems: string[] };

/** More of them than a person keeps. */
const checksMax = 100;

/** Reads the list of held-out checks: `[{name, command, files, hint, tasks}]`. */
export function readHeldOut(value: unknown): HeldOutRead {
  if (value === null || value === undefined) return { checks: [] };
  if (!Array.isArray(value)) return { problems: ["a list of checks is expected, each with name and command."] };
  if (value.length > checksMax) return { problems: [`${value.length} checks are too many: ${checksMax} at most.`] };
  const problems = value.flatMap((entry: unknown, index) => problemsOf(entry, `check ${index + 1}`));
  if (problems.length > 0) return { problems };
  const checks = value.map(entryOf);
  const names = checks.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  return twice.length === 0 ? { checks } : { problems: twice.map((name) => `two checks are named "${name}".`) };
}

/** A name is printed everywhere: one line without control characters. */
const namePattern = /^[\w][\w .-]{0,79}$/;

const keys = ["name", "command", "files", "hint", "tasks"];

function problemsOf(entry: unknown, where: string): string[] {
  if (!isObject(entry)) return [`${where}: an object with name and command is expected.`];
  const { name, command, files, hint, tasks } = entry;
  const unknown = Object.keys(entry).filter((key) => !keys.includes(key));
  return [
    ...unknown.map((key) => `${where}: unknown key "${key}"; known are ${keys.join(", ")}.`),
    ...(typeof name === "string" && namePattern.test(name)
      ? []
      : [`${where}: name must be up to 80 letters, digits, blanks, dots and dashes.`]),
    ...(typeof command === "string" && command.trim() !== "" ? [] : [`${where}: command must be a text.`]),
    ...(isTexts(files) ? [] : [`${where}: files must be a list of paths.`]),
    ...(hint === undefined || hint === null || typeof hint === "string" ? [] : [`${where}: hint must be a text.`]),
    ...(isTexts(tasks) ? [] : [`${where}: tasks must be a list of task ids.`]),
  ];
}

function isTexts(value: unknown): boolean {
  return (
    value === undefined || (Array.isArray(value) && value.every((each) => typeof each === "string" && each !== ""))
  );
}

/** Only of an entry without problems. */
function entryOf(entry: unknown): HeldOutEntry {
  const { name, command, files, hint, tasks } = isObject(entry) ? entry : {};
  const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
  const told = typeof hint === "string" && hint.trim() !== "" ? hint.trim() : null;
  return { name: String(name), command: String(command), files: texts(files), hint: told, tasks: texts(tasks) };
}
