import type { z } from "zod";
import { RalphError } from "../ralph-error.ts";
import { closest } from "./closest.ts";
import { isObject, mergeLayers } from "./merge.ts";
import { type Settings, settingsSchema } from "./settings.ts";

/** One source of settings, named as people know it: a file's path or `command line`. */
export type SettingsLayer = { source: string; value: unknown };

/** Other documents' names for one thing; they end here (CB-02). */
const aliases: Record<string, string> = {
  maxIterations: "maximumIterations",
  max_iterations: "maximumIterations",
  maxRestarts: "maximumIterations",
  default_max_iterations: "maximumIterations",
  completionPromise: "completionResponse",
};

/** Merges the layers, later ones winning, and checks the result. Throws a `RalphError` naming file, field and value. */
export function parseSettings(layers: readonly SettingsLayer[]): Settings {
  for (const layer of layers) {
    if (!isObject(layer.value))
      throw new RalphError("settings", `${layer.source}: settings must be a JSON object, found ${shown(layer.value)}.`);
  }
  const named = layers.map((layer) => ({ source: layer.source, value: withoutAliases(layer.value) }));
  const merged = named.reduce<unknown>((base, layer) => mergeLayers(base, layer.value), {});
  const parsed = settingsSchema.safeParse(merged);
  if (!parsed.success) throw settingsError(parsed.error.issues, merged, named);
  checkBudget(parsed.data);
  return parsed.data;
}

function withoutAliases(value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [aliases[key] ?? key, entry]));
}

function settingsError(
  issues: readonly z.core.$ZodIssue[],
  merged: unknown,
  layers: readonly SettingsLayer[],
): RalphError {
  const lines = issues.flatMap((issue) => describeIssue(issue, merged, layers));
  return new RalphError("settings", lines.join("\n"), "Correct the settings and run again; nothing was started.");
}

function describeIssue(issue: z.core.$ZodIssue, merged: unknown, layers: readonly SettingsLayer[]): string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const path = [...issue.path, key];
      const meant = closest(key, knownKeys(issue.path));
      const hint = meant === null ? "" : ` Did you mean "${meant}"?`;
      return `${sourceOf(path, layers)}: unknown setting "${path.map(String).join(".")}".${hint}`;
    });
  }
  const found = valueAt(merged, issue.path);
  const name = issue.path.map(String).join(".");
  return [`${sourceOf(issue.path, layers)}: ${name}: ${issue.message}, found ${shown(found)}.`];
}

/** The keys allowed at a path, read from the schema itself. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  const defaults = settingsSchema.parse({ scm: { command: "git", tasks: ["commit"] }, guardrails: [] });
  const known =
    path.length > 0 && path[0] === "guardrails" ? { command: 0, failAction: 0, hint: 0 } : valueAt(defaults, path);
  return isObject(known) ? [...Object.keys(known), ...(path.length === 0 ? ["$schema"] : [])] : [];
}

function sourceOf(path: readonly PropertyKey[], layers: readonly SettingsLayer[]): string {
  const holder = layers.findLast((layer) => valueAt(layer.value, path) !== undefined);
  return holder?.source ?? layers.at(-1)?.source ?? "settings";
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isObject(at) ? at[String(key)] : undefined;
  }, value);
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Without a limit of iterations another budget must end the run (design §8). */
function checkBudget(settings: Settings): void {
  const { spend, tokens, time } = settings.budget;
  if (settings.maximumIterations !== "unbounded" || spend !== null || tokens !== null || time !== null) return;
  throw new RalphError(
    "settings",
    'maximumIterations is "unbounded", but no budget is set.',
    "Set budget.time, budget.spend or budget.tokens (--max-time, --max-cost, --max-tokens).",
  );
}
