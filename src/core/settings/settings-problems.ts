import { isObject } from "../text/is-object.ts";
import type { z } from "zod";
import { RalphError } from "../ralph-error.ts";
import { aliases, withoutAliases, writtenPath } from "./aliases.ts";
import { closest } from "../text/closest.ts";
import { mergeLayers } from "../text/merge.ts";
import { redacted } from "./redact.ts";
import { describeValues, objectOrList, schemaAt } from "./setting-schema.ts";
import { holderOf, lineIn, type SettingsLayer, valueAt } from "./settings-layer.ts";
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
  const problems = parsed.success ? budgetProblems(parsed.data, layers) : missing(parsed.error.issues, layers);
  if (!parsed.success || problems.length > 0) return { settings: null, problems };
  return { settings: parsed.data, problems: [] };
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

type Issue = z.core.$ZodIssue;

function parse(value: unknown) {
  return settingsSchema.safeParse(value, {
    // Sentences of the declaration take precedence.
    error: ({ code, path }) =>
      code === "unrecognized_keys" ? undefined : `expected ${describeValues(schemaAt(path ?? []) ?? {})}`,
  });
}

function ownProblems(layer: SettingsLayer): SettingsProblem[] {
  const value = withoutAliases(layer.value);
  const parsed = parse(value);
  if (parsed.success) return [];
  const problems = parsed.error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey([...issue.path, key], layer));
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
  const sentence = `${key}: ${issue.message}, found ${shown(found)}.`;
  return { source: layer.source, line: lineIn(layer, near), key, sentence };
}

function unknownKey(path: readonly PropertyKey[], layer: SettingsLayer): SettingsProblem {
  const others = path.length === 1 ? [...aliases.keys()] : [];
  const nearest = closest(String(path.at(-1)), [...knownKeys(path.slice(0, -1)), ...others]);
  const meant = nearest === null ? null : (aliases.get(nearest) ?? nearest);
  const hint = meant === null ? "" : ` Did you mean "${meant}"?`;
  const key = nameOf(path);
  return {
    source: layer.source,
    line: lineIn(layer, path),
    key,
    sentence: `unknown setting "${key}".${hint}`,
  };
}

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
