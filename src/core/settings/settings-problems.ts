import { isObject } from "../text/is-object.ts";
import { RalphError } from "../ralph-error.ts";
import { aliases, withoutAliases, writtenPath } from "./aliases.ts";
import { closest } from "../text/closest.ts";
import { mergeLayers } from "../text/merge.ts";
import { redacted } from "./redact.ts";
import { describeValues, objectOrList, schemaAt } from "./setting-schema.ts";
import { holderOf, lineIn, type SettingsLayer, valueAt } from "./settings-layer.ts";
import type { Issue } from "./rule.ts";
import { type Settings, settingsSchema } from "./settings.ts";

/** One problem of the settings. `sentence` names the setting, the value found and the remedy. */
export type SettingsProblem = { source: string; line: number | null; key: string; sentence: string };

/** Valid merged settings, or every problem of the layers. */
export type Inspected = { settings: Settings; problems: [] } | { settings: null; problems: SettingsProblem[] };

/**
 * Validates each layer alone, so that a wrong value is found even if another layer overrides it (S1-13), then what is
 * missing in all of them together.
 */
export function inspectSettings(layers: readonly SettingsLayer[]): Inspected {
  const alone = layers.flatMap((layer) => (isObject(layer.value) ? ownProblems(layer) : [notAnObject(layer)]));
  if (alone.length > 0) return { settings: null, problems: alone };
  const merged = layers.reduce<unknown>((base, { value }) => mergeLayers(base, withoutAliases(value)), {});
  const parsed = parse(merged);
  const problems = parsed.settings === null ? missing(parsed.issues, layers) : budgetProblems(parsed.settings, layers);
  if (parsed.settings === null || problems.length > 0) return { settings: null, problems };
  return { settings: parsed.settings, problems: [] };
}

/** The error for invalid settings, the same for every command. */
export function settingsError(problems: readonly SettingsProblem[]): RalphError {
  const lines = problems.map(problemLine).join("\n");
  return new RalphError("settings", lines, "Correct the settings; `ralph settings schema` says what each may be.");
}

/** A problem as people read it: file, line, setting, value, remedy. */
export function problemLine({ source, line, sentence }: SettingsProblem): string {
  return `${source}${line === null ? "" : `:${line}`}: ${sentence}`;
}

/** The settings, or what is wrong with them in the order of the declaration. */
function parse(value: unknown): { settings: Settings; issues: [] } | { settings: null; issues: Issue[] } {
  const issues: Issue[] = [];
  const found = settingsSchema.read(value, { path: [], issues });
  return found === null ? { settings: null, issues } : { settings: found.value, issues: [] };
}

function ownProblems(layer: SettingsLayer): SettingsProblem[] {
  const value = withoutAliases(layer.value);
  const problems = parse(value).issues.flatMap((issue) => {
    if (issue.unknownKeys.length > 0)
      return issue.unknownKeys.flatMap((key) =>
        unknownPaths([...issue.path, key], value).map((path) => unknownKey(path, layer)),
      );
    return valueAt(value, issue.path) === undefined ? [] : [wrongValue(issue, layer, issue.path)];
  });
  return problems.toSorted((first, second) => (first.line ?? 0) - (second.line ?? 0));
}

function missing(issues: readonly Issue[], layers: readonly SettingsLayer[]): SettingsProblem[] {
  return issues.map((issue) => {
    const holder = holderOf(issue.path, layers);
    return wrongValue(issue, holder?.layer ?? { source: "settings", value: {} }, holder?.path ?? []);
  });
}

/** `near` is the path itself, or the object that lacks it. */
function wrongValue(issue: Issue, layer: SettingsLayer, near: readonly PropertyKey[]): SettingsProblem {
  const key = nameOf(writtenPath(layer.value, issue.path));
  const found = valueAt(withoutAliases(layer.value), issue.path);
  const message = issue.message ?? `expected ${describeValues(schemaAt(issue.path) ?? {})}`;
  const sentence = `${key}: ${message}, found ${shown(found)}.`;
  return { source: layer.source, line: lineIn(layer, near), key, sentence };
}

/** The path itself, or what is unknown inside it when it is a group of other names. */
function unknownPaths(path: readonly PropertyKey[], value: unknown): (readonly PropertyKey[])[] {
  const entry = valueAt(value, path);
  const isGroup = [...aliases.keys()].some((alias) => alias.startsWith(`${nameOf(path)}.`));
  if (!isGroup || !isObject(entry) || Object.keys(entry).length === 0) return [path];
  return Object.keys(entry).flatMap((key) => unknownPaths([...path, key], value));
}

/** What an unknown key probably means: a declared name, or another name at its place. */
function meantKey(path: readonly PropertyKey[]): string | null {
  const others = [...aliases.keys()].map((alias) => alias.split(".").slice(0, path.length).join("."));
  if (path.length > 1) {
    const declared = closest(String(path.at(-1)), knownKeys(path.slice(0, -1)));
    return declared ?? closest(nameOf(path), others);
  }
  const nearest = closest(String(path.at(-1)), [...knownKeys([]), ...others]);
  return nearest === null ? null : (aliases.get(nearest) ?? nearest);
}

function unknownKey(path: readonly PropertyKey[], layer: SettingsLayer): SettingsProblem {
  const meant = meantKey(path);
  const hint = meant === null ? "" : ` Did you mean "${meant}"?`;
  const key = nameOf(path);
  const line = lineIn(layer, path);
  if (key === "seal.heldOut") return { source: layer.source, line, key, sentence: heldOutSentence };
  return {
    source: layer.source,
    line,
    key,
    sentence: `unknown setting "${key}".${hint}`,
  };
}

const heldOutSentence =
  "seal.heldOut must not stand in settings, which an agent can read: use ralph seal held-out add.";

function notAnObject(layer: SettingsLayer): SettingsProblem {
  const sentence = `settings must be a JSON object, found ${shown(layer.value)}.`;
  return { source: layer.source, line: lineIn(layer, []), key: "", sentence };
}

/** Without a limit of iterations another budget must end the run. */
function budgetProblems(settings: Settings, layers: readonly SettingsLayer[]): SettingsProblem[] {
  const { spend, tokens, time } = settings.budget;
  if (settings.maximumIterations !== "unbounded" || spend !== null || tokens !== null || time !== null) return [];
  const key = "maximumIterations";
  const layer = holderOf([key], layers)?.layer ?? { source: "settings", value: {} };
  const remedy = "Set budget.time, budget.spend or budget.tokens (--max-time, --max-cost, --max-tokens).";
  const sentence = `${key} is "unbounded", but no budget is set. ${remedy}`;
  return [{ source: layer.source, line: lineIn(layer, [key]), key, sentence }];
}

/** The keys allowed at a path, read from the declaration itself. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  const schema = schemaAt(path);
  return schema === null ? [] : Object.keys(objectOrList(schema).properties ?? {});
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).join(".");
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(redacted(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
