import { isObject } from "../../text/is-object.ts";
import { closest } from "../../text/closest.ts";

/** A problem of a document and its path, such as `coder.verification_config.command`. */
export type Problem = { path: string; message: string };

/** The fields of one object of a document. A read of a wrong value notes the problem and returns null. */
export type Fields = {
  /** The path of a field of this object. */
  at(key: string): string;
  value(key: string): unknown;
  /** A text that is not blank, untrimmed; null when the field is absent or null. */
  text(key: string, charsMax?: number): string | null;
  needText(key: string, charsMax?: number): string | null;
  flag(key: string, fallback: boolean): boolean;
  integer(key: string, range: { min: number; max: number }): number | null;
  /** The elements of a list; an empty list when the field is absent. */
  list(key: string, itemsMax: number): unknown[];
  problem(key: string, message: string): null;
};

/** Longest text of a document; a longer one is a mistake. */
const textCharsMax = 4000;

/** What an object of a document may hold. `otherProblem` says why another key is refused, null: it is not. */
export type FieldRules = {
  path: string;
  known: readonly string[];
  problems: Problem[];
  otherProblem?: (key: string, known: readonly string[]) => string | null;
};

/** Opens an object of a document by hand, for code that runs in hooks and cannot load a schema library. */
export function openFields(
  value: unknown,
  { path, known, problems, otherProblem = unknownKey }: FieldRules,
): Fields | null {
  if (!isObject(value)) {
    problems.push({ path, message: `must be an object, not ${nameOf(value)}` });
    return null;
  }
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const problem = (key: string, message: string): null => {
    problems.push({ path: at(key), message });
    return null;
  };
  for (const key of Object.keys(value)) {
    const message = known.includes(key) ? null : otherProblem(key, known);
    if (message !== null) problem(key, message);
  }
  const read = (key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
  return { at, value: read, problem, ...readers(read, problem) };
}

/** A value as a message names it; long ones are cut. */
export function nameOf(value: unknown): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function unknownKey(key: string, known: readonly string[]): string {
  const near = closest(key, known);
  return `unknown key "${key}"; ${near === null ? `known are ${known.join(", ")}` : `did you mean "${near}"?`}`;
}

type Read = (key: string) => unknown;
type Refuse = (key: string, message: string) => null;

function readers(read: Read, problem: Refuse): Pick<Fields, "text" | "needText" | "flag" | "integer" | "list"> {
  const text = (key: string, charsMax = textCharsMax): string | null => {
    const value = read(key);
    if (value === undefined || value === null) return null;
    if (typeof value !== "string") return problem(key, `must be a text, not ${nameOf(value)}`);
    if (value.trim() === "") return problem(key, "must not be empty");
    if (value.length > charsMax) return problem(key, `has ${value.length} characters; at most ${charsMax} are allowed`);
    return value;
  };
  return {
    text,
    needText(key, charsMax) {
      const value = read(key);
      return value === undefined || value === null ? problem(key, "is required") : text(key, charsMax);
    },
    flag(key, fallback) {
      const value = read(key);
      if (value === undefined || value === null) return fallback;
      if (typeof value === "boolean") return value;
      problem(key, `must be true or false, not ${nameOf(value)}`);
      return fallback;
    },
    integer(key, { min, max }) {
      const value = read(key);
      if (value === undefined || value === null) return null;
      if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
      return problem(key, `must be a whole number from ${min} to ${max}, not ${nameOf(value)}`);
    },
    list(key, itemsMax) {
      const value = read(key);
      if (value === undefined || value === null) return [];
      const items: unknown[] | null = Array.isArray(value) ? value : null;
      if (items !== null && items.length <= itemsMax) return items;
      const found = items === null ? nameOf(value) : `one of ${items.length}`;
      problem(key, `must be a list of at most ${itemsMax} elements, not ${found}`);
      return [];
    },
  };
}
