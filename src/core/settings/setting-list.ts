import type { JsonSchema } from "./rule.ts";
import { describeValues, objectOrList, settingsJsonSchema } from "./setting-schema.ts";

/** One setting as documents show it, derived from its declaration. */
export type Setting = {
  /** Such as `agent.command`. */
  key: string;
  path: readonly string[];
  /** Such as `RALPH_AGENT_COMMAND`. */
  variable: string;
  sentence: string;
  /** The allowed values, in words. */
  values: string;
  default: unknown;
  schema: JsonSchema;
};

/** Every setting in the order of declaration. An object that may be null is listed besides its parts. */
export function settingList(): Setting[] {
  return below(settingsJsonSchema(), []).filter(({ key }) => key !== "$schema");
}

/** The environment variable of a setting, `RALPH_*`, derived from its key. */
export function variableOf(key: string): string {
  const words = key.replaceAll(/([a-z])([A-Z])/g, "$1_$2").replaceAll(".", "_");
  return `RALPH_${words.toUpperCase()}`;
}

function below(schema: JsonSchema, path: readonly string[]): Setting[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const inner = [...path, name];
    const nested = below(objectOrList(part), inner);
    const isPlainObject = nested.length > 0 && part.anyOf === undefined;
    return isPlainObject ? nested : [settingOf(part, inner), ...nested];
  });
}

function settingOf(schema: JsonSchema, path: readonly string[]): Setting {
  const key = path.join(".");
  return {
    key,
    path,
    variable: variableOf(key),
    sentence: schema.description ?? "",
    values: describeValues(schema),
    default: schema.default,
    schema,
  };
}
