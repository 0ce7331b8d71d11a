import { isId, namesId } from "./requirement-ids.ts";

/** A planted fault: one line of the product changed, and what that breaks. See tests/faults/README.md. */
export type Fault = {
  name: string;
  breaks: string;
  /** What the broken line does, where it is not in core. Null: it decides something. */
  duty: Duty | null;
  file: string;
  find: string;
  replace: string;
  tests: string[] | null;
};

/** What code outside of core is for: none of these decides how a loop continues or ends. */
export const duties = [
  "process",
  "file",
  "git",
  "store",
  "translate",
  "relay",
  "command",
  "permission",
  "view",
  "package",
] as const;
export type Duty = (typeof duties)[number];

/** Reads a fault file; throws with a sentence on anything unexpected. */
export function parseFault(name: string, text: string): Fault {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error(`${name}: not an object`);
  const fields = new Map<string, unknown>(Object.entries(value));
  const unknownKey = [...fields.keys()].find((key) => !knownKeys.includes(key));
  if (unknownKey !== undefined) throw new Error(`${name}: unknown field "${unknownKey}"`);
  const fault: Fault = {
    name,
    breaks: readText(name, fields, "breaks"),
    duty: readDuty(name, fields.get("duty")),
    file: readText(name, fields, "file"),
    find: readText(name, fields, "find"),
    replace: readText(name, fields, "replace"),
    tests: readTests(name, fields.get("tests")),
  };
  if (fault.find === "" || fault.breaks === "") throw new Error(`${name}: "find" and "breaks" must not be empty`);
  if (/\n/.test(fault.find + fault.replace)) throw new Error(`${name}: a fault changes one line`);
  if (fault.find === fault.replace) throw new Error(`${name}: "replace" changes nothing`);
  return fault;
}

/** The text with the fault in it; throws when `find` does not stand there exactly once. */
export function plantFault(fault: Fault, text: string): string {
  const count = text.split(fault.find).length - 1;
  if (count !== 1) throw new Error(`${fault.name}: "find" occurs ${count} times in ${fault.file}, expected once`);
  return text.replace(fault.find, () => fault.replace);
}

/** Whether a test speaks of what the fault breaks and is among those the fault asks for. */
export function isConcerned(fault: Fault, test: { file: string; name: string }): boolean {
  const isNamed = isId(fault.breaks) ? namesId(test.name, fault.breaks) : test.name.includes(fault.breaks);
  if (!isNamed || fault.tests === null) return isNamed;
  return fault.tests.some((filter) => test.file.includes(filter) || test.name.includes(filter));
}

const knownKeys = ["breaks", "duty", "file", "find", "replace", "tests"];

function readText(name: string, fields: Map<string, unknown>, key: string): string {
  const value = fields.get(key);
  if (typeof value !== "string") throw new Error(`${name}: "${key}" must be a string`);
  return value;
}

function readDuty(name: string, value: unknown): Duty | null {
  if (value === undefined) return null;
  const duty = duties.find((known) => known === value);
  if (duty === undefined) throw new Error(`${name}: "duty" must be one of ${duties.join(", ")}`);
  return duty;
}

function readTests(name: string, value: unknown): string[] | null {
  if (value === undefined) return null;
  const isList = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
  if (!isList) throw new Error(`${name}: "tests" must be a list of strings`);
  return value;
}
