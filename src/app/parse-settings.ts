import { parseSettings as parse } from "../core/settings/parse-settings.ts";
import type { SettingsLayer } from "../core/settings/settings-layer.ts";
import type { Settings } from "../core/settings/settings.ts";
import { listOf, requireOption, withFields } from "./read-options.ts";

/**
 * Merges the layers, later ones winning, and checks them. Throws a `RalphError` naming file, line, setting and value.
 *
 * @example
 * ```ts
 * import { parseSettings } from "ralph";
 *
 * const settings = parseSettings([
 *   { source: "the team", value: { maximumIterations: 20 } },
 *   { source: "me", value: { guardrails: [{ command: "npm test", failAction: "APPEND" }] } },
 * ]);
 * console.log(settings.maximumIterations, settings.guardrails.length); // 20 1
 * ```
 */
export function parseSettings(layers: readonly SettingsLayer[]): Settings {
  return parse(
    requireOption("parseSettings", "layers", { value: layers, rule: listOf(withFields("source", "value")) }),
  );
}
