import { isObject } from "../text/is-object.ts";
import * as z from "zod";
import { assert } from "../assert.ts";
import { settingsSchema } from "./settings.ts";

/** The part of JSON Schema that the settings use. */
export type JsonSchema = {
  type?: string | string[];
  title?: string;
  description?: string;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
};

/** The JSON Schema of a settings file, for editors and for every text about allowed values. */
export function settingsJsonSchema(): JsonSchema {
  cached ??= makeSchema();
  return { title: "Settings of ralph", ...cached };
}

let cached: JsonSchema | null = null;

function makeSchema(): JsonSchema {
  const schema: unknown = z.toJSONSchema(settingsSchema, {
    io: "input",
    override({ jsonSchema }) {
      // The largest safe integer is a limit of the language, not of a setting.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // A number is read only to say which unit it lacks.
      if (jsonSchema.title === "duration") jsonSchema.anyOf = [{ type: "string" }, { const: 0 }, { type: "null" }];
    },
  });
  assert(isSchema(schema), "the settings have a schema");
  return schema;
}

function isSchema(value: unknown): value is JsonSchema {
  return isObject(value);
}

/** The schema of one setting; indices select list elements. Null for an unknown setting. */
export function schemaAt(path: readonly PropertyKey[]): JsonSchema | null {
  return path.reduce<JsonSchema | null>((at, key) => {
    const within = at === null ? null : objectOrList(at);
    if (within?.items !== undefined) return within.items;
    return within?.properties?.[String(key)] ?? null;
  }, settingsJsonSchema());
}

/** The schema without null where null is allowed; the schema itself otherwise. */
export function objectOrList(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find(({ properties, items }) => properties !== undefined || items !== undefined) ?? schema;
}

/** The allowed values of a setting in words: `a whole number of at least 1 or "unbounded"`. */
export function describeValues(schema: JsonSchema): string {
  return inWords(possibleValues(schema));
}

function possibleValues(schema: JsonSchema): string[] {
  if (schema.title === "duration") return ['a duration such as "90s"', '"30m"', '"2h"', "null"];
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(possibleValues);
  if (Array.isArray(schema.type)) return schema.type.flatMap((type) => possibleValues({ ...schema, type }));
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value));
  if (schema.type === "boolean") return ["true", "false"];
  return [describeType(schema)];
}

function describeType(schema: JsonSchema): string {
  if (schema.type === "integer") return `a whole number of at least ${schema.minimum ?? 0}`;
  if (schema.type === "number") return `a number above ${schema.exclusiveMinimum ?? 0}`;
  if (schema.type === "string") return schema.minLength === undefined ? "a text" : "a text that is not blank";
  if (schema.type === "array") return `a list of ${describeItems(schema.items ?? {})}`;
  if (schema.properties !== undefined) return `an object with ${inWords(Object.keys(schema.properties), "and")}`;
  return String(schema.type ?? "a value");
}

function describeItems(items: JsonSchema): string {
  if (items.properties !== undefined) return `objects with ${inWords(Object.keys(items.properties), "and")}`;
  return items.enum === undefined ? "texts" : describeValues(items);
}

function inWords(words: readonly string[], last = "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}
