import { RalphError } from "../../core/ralph-error.ts";
import { parseDuration } from "../../core/text/duration.ts";
import { closest } from "../../core/text/closest.ts";

/** Where something stands in a script file, for messages. */
export type ScriptLine = { file: string; line: number };

/** The options of one step as the script has them, with the place of each. */
export type RawOptions = {
  step: string;
  place: ScriptLine;
  values: Map<string, { value: unknown; place: ScriptLine }>;
};

/** Reads options one by one; `done` refuses what nobody read. Every method throws a RalphError that names the place. */
export type StepOptions = {
  place: ScriptLine;
  has(name: string): boolean;
  text(name: string, fallback: string | null): string;
  count(name: string, fallback: number | null): number;
  amount(name: string, fallback: number): number;
  durationMs(name: string, fallback: number | null): number;
  bytes(name: string): number;
  isOn(name: string): boolean;
  oneOf<Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice;
  raw(name: string): unknown;
  fail(name: string, wanted: string): never;
  done(): void;
};

/** A fault of the script, named by file, line and remedy. */
export function scriptError(place: ScriptLine, message: string, hint: string): RalphError {
  return new RalphError("sim", `${place.file}:${place.line}: ${message}`, hint);
}

/** Opens the options of one step for reading. */
export function openOptions(raw: RawOptions): StepOptions {
  const known = new Set<string>();
  const take = (name: string): unknown => {
    known.add(name);
    return raw.values.get(name)?.value;
  };
  const fail = (name: string, wanted: string): never => {
    const found = raw.values.get(name);
    if (found === undefined)
      throw scriptError(raw.place, `"${raw.step}" has no "${name}"`, `Add "${name}": ${wanted}.`);
    const message = `"${name}" of "${raw.step}" is ${JSON.stringify(found.value)}`;
    throw scriptError(found.place, message, `Write ${wanted}.`);
  };
  /** The value when it is there, else the fallback; a null fallback makes the option a must. */
  const read = <Value>(
    name: string,
    wanted: string,
    fallback: Value | null,
    parse: (value: unknown) => Value | null,
  ) => {
    const value = take(name);
    if (value === undefined && fallback !== null) return fallback;
    const parsed = parse(value);
    return parsed === null ? fail(name, wanted) : parsed;
  };
  return {
    place: raw.place,
    has: (name) => take(name) !== undefined,
    text: (name, fallback) => read(name, "a text", fallback, parseText),
    count: (name, fallback) => read(name, "a whole number, 0 or more", fallback, parseCount),
    amount: (name, fallback) => read(name, "a number, 0 or more", fallback, parseAmount),
    durationMs: (name, fallback) => read(name, 'milliseconds or a time such as "2s"', fallback, parseTime),
    bytes: (name) => read(name, 'a number of bytes or a size such as "64MiB"', null, parseBytes),
    isOn: (name) => read(name, "true or false", false, (value) => (typeof value === "boolean" ? value : null)),
    oneOf: (name, choices, fallback) =>
      read(
        name,
        `one of ${choices.join(", ")}`,
        fallback,
        (value) => choices.find((choice) => choice === value) ?? null,
      ),
    raw: take,
    fail,
    done: () => refuseUnread(raw, known),
  };
}

function parseText(value: unknown): string | null {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

function parseCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function parseAmount(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null;
}

function parseTime(value: unknown): number | null {
  return typeof value === "number" || typeof value === "string" ? parseDuration(value) : null;
}

const bytesPerUnit: Record<string, number> = {
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

function parseBytes(value: unknown): number | null {
  if (typeof value !== "string") return parseCount(value);
  const match = /^(\d+)\s*([kmg]i?b)?$/i.exec(value.trim());
  if (match === null) return null;
  return Number(match[1]) * (bytesPerUnit[(match[2] ?? "").toLowerCase()] ?? 1);
}

function refuseUnread(raw: RawOptions, known: ReadonlySet<string>): void {
  for (const [name, { place }] of raw.values) {
    if (known.has(name)) continue;
    const nearest = closest(name, [...known]);
    const hint =
      nearest === null ? `It knows: ${[...known].join(", ") || "no options"}.` : `Did you mean "${nearest}"?`;
    throw scriptError(place, `"${raw.step}" does not know "${name}"`, hint);
  }
}
