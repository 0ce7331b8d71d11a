import { statSync } from "node:fs";
import { closest } from "../core/text/closest.ts";
import { isObject } from "../core/text/is-object.ts";
import { RalphError } from "../core/ralph-error.ts";

/** What one option of a function may be. `expected` completes the sentence "expected …". */
export type OptionRule = {
  expected: string;
  isRequired: boolean;
  isMet(value: unknown): boolean;
  /** The rule of each item of a list, so that an error names the item. */
  item?: OptionRule;
  /** The rule of each field of an object that has no others, so that an error names the field. */
  fields?: Readonly<Record<string, OptionRule>>;
};

/** One rule per option of a function, so that no option is forgotten. */
export type OptionRules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule };

/**
 * The options themselves when each of them meets its rule. Throws a `RalphError` with code `usage` that names the
 * function, the option, the value found and what is expected. A name that no rule knows is refused, too. `within` is the
 * option that these options are the fields of.
 */
export function readOptions<Options extends object>(
  caller: string,
  options: Options,
  rules: OptionRules<Options>,
  within = "",
): Options {
  if (!isObject(options)) throw refusal(caller, "", `options are ${shown(options)}, expected an object`);
  const path = (name: string): string => (within === "" ? name : `${within}.${name}`);
  const known = new Map<string, OptionRule>(
    Object.entries<OptionRule>(rules).map(([name, rule]) => [path(name), rule]),
  );
  const given = new Map(Object.entries(options).map(([name, value]) => [path(name), value]));
  for (const name of given.keys()) if (!known.has(name)) throw unknownOption(caller, name, [...known.keys()]);
  for (const [name, rule] of known) {
    const value = given.get(name);
    if (value === undefined ? rule.isRequired : !rule.isMet(value))
      throw refusal(caller, name, `option ${wrongPart(name, value, rule)}`);
  }
  return options;
}

/** The value that does not meet its rule, in a list its first wrong item, and what is expected of it. */
function wrongPart(name: string, value: unknown, { item, fields, expected }: OptionRule): string {
  if (fields !== undefined && isObject(value)) return wrongField(name, value, fields);
  const index = item === undefined || !Array.isArray(value) ? -1 : value.findIndex((each) => !item.isMet(each));
  if (item === undefined || !Array.isArray(value) || index === -1)
    return `${name} is ${shown(value)}, expected ${expected}`;
  return wrongPart(`${name}[${index}]`, value[index], item);
}

function wrongField(name: string, value: Record<string, unknown>, fields: NonNullable<OptionRule["fields"]>): string {
  const only = ruleOf(`only the fields ${Object.keys(fields).join(", ")}`, () => false);
  const rules = new Map(Object.entries(fields));
  const keys = [...rules.keys(), ...Object.keys(value)];
  const wrong = keys.find((key) => !isFieldMet(rules.get(key), value[key])) ?? "";
  return wrongPart(`${name}.${wrong}`, value[wrong], rules.get(wrong) ?? only);
}

function isFieldMet(rule: OptionRule | undefined, value: unknown): boolean {
  if (rule === undefined) return false;
  return value === undefined ? !rule.isRequired : rule.isMet(value);
}

/** One value that stands alone, by the same rules and with the same error. */
export function requireOption<Value>(
  caller: string,
  name: string,
  { value, rule }: { value: Value; rule: OptionRule },
): Value {
  if (rule.isMet(value)) return value;
  throw refusal(caller, name, wrongPart(name, value, rule));
}

/** The error for options that no rule for one of them can judge, such as two that exclude each other. */
export function refuseOptions(caller: string, problem: string): RalphError {
  return refusal(caller, "", problem);
}

/** The same rule for an option that may not be left out. */
export function required(rule: OptionRule): OptionRule {
  return { ...rule, isRequired: true };
}

/** A text with something in it. */
export const text: OptionRule = ruleOf(
  "a text that is not empty",
  (value) => typeof value === "string" && value.trim() !== "",
);

/** Any text. */
export const anyText: OptionRule = ruleOf("a text", (value) => typeof value === "string");

/** True or false. */
export const flag: OptionRule = ruleOf("true or false", (value) => typeof value === "boolean");

/** A function. */
export const aFunction: OptionRule = ruleOf("a function", (value) => typeof value === "function");

/** An object that is not a list. */
export const anObject: OptionRule = ruleOf("an object", isObject);

/** What ends the work early. */
export const abortSignal: OptionRule = ruleOf("an AbortSignal", (value) => value instanceof AbortSignal);

/** A directory that is there. */
export const directory: OptionRule = ruleOf("a directory that exists", isDirectory);

/** The path of a file, which may not exist yet. */
export const aFile: OptionRule = ruleOf(
  "the path of a file, which may not exist yet",
  (value) => text.isMet(value) && !isDirectory(value),
);

/** A whole number from `min` on, up to `max`. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): OptionRule {
  const upTo = max === Number.MAX_SAFE_INTEGER ? "" : ` and at most ${max}`;
  return ruleOf(`a whole number of at least ${min}${upTo}`, (value) => {
    return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
  });
}

/** Milliseconds, from `min` on. */
export function milliseconds(min: number): OptionRule {
  const isMet = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= min;
  return ruleOf(`milliseconds, at least ${min}`, isMet);
}

/** One of a few words. */
export function oneOf(words: readonly string[]): OptionRule {
  return ruleOf(words.map((word) => JSON.stringify(word)).join(" or "), (value) =>
    words.some((word) => word === value),
  );
}

/** A list whose items all meet a rule. */
export function listOf(rule: OptionRule): OptionRule {
  const list = ruleOf(
    `a list, each item ${rule.expected}`,
    (value) => Array.isArray(value) && value.every((item) => rule.isMet(item)),
  );
  return { ...list, item: rule };
}

/** A list with at least one item, none of them twice. */
export function distinctListOf(rule: OptionRule): OptionRule {
  const list = listOf(rule);
  const isDistinct = (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
  return {
    ...list,
    expected: `a list with at least one item and none twice, each item ${rule.expected}`,
    isMet: (value) => list.isMet(value) && isDistinct(value),
  };
}

/** Two rules for one option. */
export function bothOf(first: OptionRule, second: OptionRule): OptionRule {
  return ruleOf(`${first.expected}, ${second.expected}`, (value) => first.isMet(value) && second.isMet(value));
}

/** The same rule for an option that may be null. */
export function orNull(rule: OptionRule): OptionRule {
  return { ...rule, expected: `${rule.expected} or null`, isMet: (value) => value === null || rule.isMet(value) };
}

/** An object with these functions. */
export function withFunctions(...names: string[]): OptionRule {
  return ruleOf(`an object with the functions ${names.join(", ")}`, (value) => {
    return isObject(value) && names.every((name) => typeof value[name] === "function");
  });
}

/** An object with these fields and no others, or what another rule allows. */
export function fieldsOr(rule: OptionRule, fields: NonNullable<OptionRule["fields"]>): OptionRule {
  const rules = new Map(Object.entries(fields));
  const isWhole = (value: Record<string, unknown>): boolean =>
    [...rules.keys(), ...Object.keys(value)].every((key) => isFieldMet(rules.get(key), value[key]));
  return { ...rule, fields, isMet: (value) => rule.isMet(value) || (isObject(value) && isWhole(value)) };
}

/** An object with these fields. */
export function withFields(...names: string[]): OptionRule {
  return ruleOf(`an object with the fields ${names.join(", ")}`, (value) => {
    return isObject(value) && names.every((name) => value[name] !== undefined);
  });
}

/** A reader of runs. */
export const aSink: OptionRule = withFunctions("entry", "agentEvent");

/** A rule of its own; `expected` completes the sentence "expected …". */
export function ruleOf(expected: string, isMet: (value: unknown) => boolean): OptionRule {
  return { expected, isRequired: false, isMet };
}

function isDirectory(value: unknown): boolean {
  if (typeof value !== "string" || value === "") return false;
  return statSync(value, { throwIfNoEntry: false })?.isDirectory() === true;
}

function unknownOption(caller: string, name: string, known: readonly string[]): RalphError {
  const meant = closest(name, [...known]);
  const remedy = meant === null ? `expected only ${known.join(", ")}` : `did you mean ${meant}?`;
  return refusal(caller, name, `there is no option ${name}; ${remedy}`);
}

function refusal(caller: string, name: string, problem: string): RalphError {
  const end = problem.endsWith("?") ? "" : ".";
  const about = name === "" ? "the options" : name;
  return new RalphError("usage", `${caller}: ${problem}${end}`, `Correct ${about} in the call of ${caller}.`);
}

/** A value in a sentence: short, and without what could be a secret deep inside of it. */
const shownCharsMax = 80;

function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value === "object" && value !== null)
    return Array.isArray(value) ? `a list of ${value.length}` : "an object";
  const written = typeof value === "number" || typeof value === "bigint" ? String(value) : JSON.stringify(value);
  return written.length > shownCharsMax ? `${written.slice(0, shownCharsMax - 3)}...` : written;
}
