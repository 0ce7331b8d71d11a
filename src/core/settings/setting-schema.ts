import type { JsonSchema } from "./rule.ts";
import { settingsSchema } from "./settings.ts";

/** The JSON Schema of a settings file, for editors and for every text about allowed values. */
export function settingsJsonSchema(): JsonSchema {
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { title: "Settings of ralph", $schema, ...settingsSchema.schema };
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
  if (schema.type === "number" && schema.minimum !== undefined) return `a number of at least ${schema.minimum}`;
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
