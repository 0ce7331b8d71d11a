import { aliases } from "./aliases.ts";
import { closest } from "../text/closest.ts";
import type { JsonSchema } from "./rule.ts";
import { type Setting, settingList, variableOf } from "./setting-list.ts";
import type { SettingsLayer } from "./settings-layer.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of the environment, one layer per variable, so that an error names it. Empty ones count as unset. */
export function environmentLayers(environment: Environment): SettingsLayer[] {
  const settings = byVariable();
  return Object.entries(environment).flatMap(([name, text]) => {
    const setting = settings.get(name);
    if (setting === undefined || text === undefined || text.trim() === "") return [];
    const value = setting.path.reduceRight<unknown>(
      (inner, key) => ({ [key]: inner }),
      readValue(setting.schema, text),
    );
    return [{ source: `environment ${name}`, value }];
  });
}

/** Sentences about variables that look like a misspelled setting. Other variables are ignored and never an error. */
export function environmentWarnings(environment: Environment): string[] {
  const known = [...byVariable().keys()].map(withoutPrefix);
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !notSettings.test(name) && !known.includes(withoutPrefix(name)))
    .flatMap((name) => {
      const meant = closest(withoutPrefix(name), known);
      return meant === null ? [] : [`${name} is not a setting. Did you mean ${prefix}${meant}?`];
    });
}

const prefix = "RALPH_";

/** Variables that belong to the program itself, its tests or its scripted agent. */
const notSettings = /^RALPH_(?:STATE_HOME|RUN_ID|TURN|KILL_GRACE_MS|LAUNCHED|SIM_STATE|SIMULATION_SEED|TEST_\w*)$/;

function withoutPrefix(name: string): string {
  return name.slice(prefix.length);
}

function byVariable(): Map<string, Setting> {
  const settings = settingList();
  const named = settings.map((setting) => [setting.variable, setting] as const);
  const other = [...aliases].flatMap(([alias, key]) => {
    const setting = settings.find((each) => each.key === key);
    // Every variable begins with the name of the program already.
    return setting === undefined ? [] : [[variableOf(alias.replace(/^ralph\./, "")), setting] as const];
  });
  return new Map([...other, ...named]);
}

/** Text that fits no type of the setting stays text; validation then names it. */
function readValue(schema: JsonSchema, text: string): unknown {
  const types = typesOf(schema);
  const word = text.trim().toLowerCase();
  if (types.includes("null") && word === "null") return null;
  if (types.includes("boolean") && switches.has(word)) return switches.get(word);
  if ((types.includes("integer") || types.includes("number")) && /^-?\d+(?:\.\d+)?$/.test(word)) return Number(word);
  if (/^\s*[[{]/.test(text) && (types.includes("array") || types.includes("object"))) return parsedOrText(text);
  if (types.includes("array")) return text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
  return text;
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false],
]);

function typesOf(schema: JsonSchema): string[] {
  return [...[schema.type ?? []].flat(), ...(schema.anyOf ?? []).flatMap(typesOf)];
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Validation shows the text.
    return text;
  }
}
