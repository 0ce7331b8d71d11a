import { assert } from "../assert.ts";
import { isObject } from "../text/is-object.ts";

/**
 * How a setting is read and described: the part of zod that the settings use, under zod's names. Zod itself takes 45 ms
 * of every start to load, to build the settings and to write their schema, more than Node itself takes to start (28 ms).
 * `rule.test.ts` holds both against each other.
 */
export type Rule<Value, IsOptional extends boolean = false> = {
  /** Reports what is wrong and returns null, or returns the value with its defaults. */
  read(given: unknown, reading: Reading): Read<Value>;
  schema: JsonSchema;
  /** Whether the key may be left out and then stays out. */
  isOptional: IsOptional;
  nullable(): Rule<Value | null>;
  /** The value of a missing one. */
  default(value: Value): Rule<Value>;
  /** What is read instead of a missing value: a value with defaults of its own. */
  prefault(given: unknown): Rule<Value>;
  exactOptional(): Rule<Value, true>;
  transform<Next>(change: (value: Value, context: { addIssue(issue: { message: string }): void }) => Next): Rule<Next>;
  pipe<Next>(next: Rule<Next>): Rule<Next>;
  meta(schema: JsonSchema): Rule<Value, IsOptional>;
  describe(sentence: string): Rule<Value, IsOptional>;
};

/** The part of JSON Schema that the settings use. */
export type JsonSchema = {
  $schema?: string;
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  minItems?: number;
  pattern?: string;
};

/** The value a rule reads. */
export type Output<Of> = Of extends Rule<infer Value, boolean> ? Value : never;

/** One wrong value. Without a message, the schema at its path says what was expected. */
export type Issue = { path: readonly PropertyKey[]; message: string | null; unknownKeys: readonly string[] };

/** Where the reader is, and what was wrong so far. */
export type Reading = { path: readonly PropertyKey[]; issues: Issue[] };

type Read<Value> = { value: Value } | null;

/** A text; the checks run in the order of their names. */
export type Text = Rule<string> & {
  trim(): Text;
  min(lengthMin: number, message?: string): Text;
  regex(pattern: RegExp, message: string): Text;
};

export function string(): Text {
  return text({ type: "string" }, (value) => ({ value }));
}

type TextStep = (value: string) => { value: string } | { message: string | null };

function text(schema: JsonSchema, step: TextStep): Text {
  const then = (more: JsonSchema, next: TextStep): Text =>
    text({ ...schema, ...more }, (value) => {
      const found = step(value);
      return "value" in found ? next(found.value) : found;
    });
  const rule = makeRule<string>(schema, (given, reading) => {
    if (typeof given !== "string") return wrong(reading);
    const found = step(given);
    return "value" in found ? found : wrong(reading, found.message);
  });
  return {
    ...rule,
    trim: () => then({}, (value) => ({ value: value.trim() })),
    min: (minLength, message) =>
      then({ minLength }, (value) => (value.length >= minLength ? { value } : { message: message ?? null })),
    regex: (pattern, message) =>
      then({ pattern: pattern.source }, (value) => (pattern.test(value) ? { value } : { message })),
  };
}

/** A number; each limit is checked. */
export type Amount = Rule<number> & { min(least: number): Amount; max(most: number): Amount; positive(): Amount };

export function number(): Amount {
  return amount({ type: "number" }, Number.isFinite);
}

export function int(): Amount {
  return amount({ type: "integer" }, Number.isSafeInteger);
}

function amount(schema: JsonSchema, isRight: (value: number) => boolean): Amount {
  const then = (more: JsonSchema, isWithin: (value: number) => boolean): Amount =>
    amount({ ...schema, ...more }, (value) => isRight(value) && isWithin(value));
  const rule = makeRule<number>(schema, (given, reading) =>
    typeof given === "number" && isRight(given) ? { value: given } : wrong(reading),
  );
  return {
    ...rule,
    min: (minimum) => then({ minimum }, (value) => value >= minimum),
    max: (maximum) => then({ maximum }, (value) => value <= maximum),
    positive: () => then({ exclusiveMinimum: 0 }, (value) => value > 0),
  };
}

export function boolean(): Rule<boolean> {
  return makeRule({ type: "boolean" }, (given, reading) =>
    typeof given === "boolean" ? { value: given } : wrong(reading),
  );
}

export function literal<const Word extends string>(word: Word): Rule<Word> {
  return makeRule({ type: "string", const: word }, (given, reading) =>
    given === word ? { value: word } : wrong(reading),
  );
}

function words<const Word extends string>(known: readonly Word[]): Rule<Word> {
  return makeRule({ type: "string", enum: [...known] }, (given, reading) => {
    const value = known.find((word) => word === given);
    return value === undefined ? wrong(reading) : { value };
  });
}

function nothing(): Rule<null> {
  return makeRule({ type: "null" }, (given, reading) => (given === null ? { value: null } : wrong(reading)));
}

export { nothing as null, words as enum };

/** One of several; the first that fits. */
export function union<const Rules extends readonly Rule<unknown>[]>(rules: Rules): Rule<Output<Rules[number]>> {
  const rule = makeRule<unknown>({ anyOf: rules.map(({ schema }) => schema) }, (given, reading) => {
    for (const each of rules) {
      const found = each.read(given, { path: reading.path, issues: [] });
      if (found !== null) return found;
    }
    return wrong(reading);
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is read was read by one of the rules
  return rule as Rule<Output<Rules[number]>>;
}

/** A list whose items follow one rule. */
export type List<Item> = Rule<Item[]> & { min(itemsMin: number): Rule<Item[]> };

export function array<Item>(item: Rule<Item>): List<Item> {
  const atLeast = (schema: JsonSchema, itemsMin: number): Rule<Item[]> =>
    makeRule({ ...schema, type: "array", items: item.schema }, (given, { path, issues }) => {
      if (!Array.isArray(given) || given.length < itemsMin) return wrong({ path, issues });
      const found = given.map((each: unknown, index) => item.read(each, { path: [...path, index], issues }));
      const right = found.filter((each) => each !== null);
      return right.length === found.length ? { value: right.map(({ value }) => value) } : null;
    });
  return { ...atLeast({}, 0), min: (minItems) => atLeast({ minItems }, minItems) };
}

type Fields = Readonly<Record<string, Rule<unknown, boolean>>>;
type Flat<Of> = { [Key in keyof Of]: Of[Key] };
type ObjectOf<Of extends Fields> = Flat<
  { -readonly [Key in keyof Of as Of[Key] extends Rule<unknown, true> ? never : Key]: Output<Of[Key]> } & {
    -readonly [Key in keyof Of as Of[Key] extends Rule<unknown, true> ? Key : never]?: Output<Of[Key]>;
  }
>;

/** An object with these keys and no other. */
export type StrictObject<Of extends Fields> = Rule<ObjectOf<Of>> & {
  shape: Of;
  /** Throws when a value is wrong. */
  parse(given: unknown): ObjectOf<Of>;
};

export function strictObject<const Of extends Fields>(shape: Of): StrictObject<Of> {
  const entries = Object.entries(shape);
  const read = (given: unknown, { path, issues }: Reading): Read<Record<string, unknown>> => {
    if (!isObject(given)) return wrong({ path, issues });
    const before = issues.length;
    const value: Record<string, unknown> = {};
    for (const [key, rule] of entries) {
      if (rule.isOptional && !Object.hasOwn(given, key)) continue;
      const found = rule.read(given[key], { path: [...path, key], issues });
      if (found !== null) value[key] = found.value;
    }
    const unknownKeys = Object.keys(given).filter((key) => !Object.hasOwn(shape, key));
    if (unknownKeys.length > 0) issues.push({ path, message: null, unknownKeys });
    return issues.length === before ? { value } : null;
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each key of the shape was read by its rule
  const rule = makeRule<unknown>(objectSchema(entries), read) as Rule<ObjectOf<Of>>;
  const parse = (given: unknown): ObjectOf<Of> => {
    const issues: Issue[] = [];
    const found = rule.read(given, { path: [], issues });
    assert(found !== null, `${JSON.stringify(issues)} is wrong`);
    return found.value;
  };
  return { ...rule, shape, parse };
}

function objectSchema(entries: readonly [string, Rule<unknown, boolean>][]): JsonSchema {
  const required = entries.flatMap(([key, { schema, isOptional }]) =>
    isOptional || schema.default !== undefined ? [] : [key],
  );
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, { schema }]) => [key, schema])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function wrong({ path, issues }: Reading, message: string | null = null): null {
  issues.push({ path, message, unknownKeys: [] });
  return null;
}

function makeRule<Value>(schema: JsonSchema, read: Rule<Value>["read"]): Rule<Value> {
  return withFlag(schema, read, false);
}

function withFlag<Value, IsOptional extends boolean>(
  schema: JsonSchema,
  read: Rule<Value>["read"],
  isOptional: IsOptional,
): Rule<Value, IsOptional> {
  // Read like any other value, so that each reader gets a list of its own.
  const withDefault = (value: unknown): Rule<Value> =>
    makeRule({ default: value, ...schema }, (given, reading) => read(given === undefined ? value : given, reading));
  return {
    schema,
    read,
    isOptional,
    nullable: () =>
      makeRule<Value | null>(orNull(schema), (given, reading) =>
        given === null ? { value: null } : read(given, reading),
      ),
    default: withDefault,
    prefault: withDefault,
    exactOptional: () => withFlag(schema, read, true),
    transform: (change) => makeRule(schema, (given, reading) => transformed(read(given, reading), change, reading)),
    pipe: (next) =>
      makeRule(schema, (given, reading) => {
        const found = read(given, reading);
        return found === null ? null : next.read(found.value, reading);
      }),
    meta: (more) => withFlag({ ...schema, ...more }, read, isOptional),
    describe: (description) => withFlag({ ...schema, description }, read, isOptional),
  };
}

/** A type alone is listed beside null; with limits it stays apart from it. */
function orNull(schema: JsonSchema): JsonSchema {
  const isTypeAlone = Object.keys(schema).join() === "type";
  return isTypeAlone ? { type: [schema.type ?? [], "null"].flat() } : { anyOf: [schema, { type: "null" }] };
}

type Change<Value, Next> = (value: Value, context: { addIssue(issue: { message: string }): void }) => Next;

function transformed<Value, Next>(found: Read<Value>, change: Change<Value, Next>, reading: Reading): Read<Next> {
  if (found === null) return null;
  const before = reading.issues.length;
  const value = change(found.value, { addIssue: ({ message }) => void wrong(reading, message) });
  return reading.issues.length === before ? { value } : null;
}
