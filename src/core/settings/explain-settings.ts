import { withoutAliases } from "./aliases.ts";
import { mergeLayers } from "../text/merge.ts";
import { settingList } from "./setting-list.ts";
import { holderOf, lineIn, type SettingsLayer, valueAt } from "./settings-layer.ts";

/** One effective setting, written as in a file, and the layer it comes from. */
export type ExplainedSetting = { key: string; value: unknown; source: string; line: number | null };

/** Every effective setting in the order of declaration, without the parts of an object that is null. */
export function explainSettings(layers: readonly SettingsLayer[]): ExplainedSetting[] {
  const merged = layers.reduce<unknown>((base, { value }) => mergeLayers(base, withoutAliases(value)), {});
  const settings = settingList();
  return settings.flatMap((setting): ExplainedSetting[] => {
    const { key, path } = setting;
    const value = valueAt(merged, path);
    const hasParts = settings.some((other) => other.key.startsWith(`${key}.`));
    if (hasParts && (value ?? null) !== null) return [];
    if (value !== undefined) {
      const holder = holderOf(path, layers)?.layer;
      return holder === undefined ? [] : [{ key, value, source: holder.source, line: lineIn(holder, path) }];
    }
    const isPartOfNothing = settings.some(
      (other) => key.startsWith(`${other.key}.`) && (valueAt(merged, other.path) ?? null) === null,
    );
    // One that depends on the kind of run has no value of its own.
    if (isPartOfNothing || setting.default === undefined) return [];
    return [{ key, value: setting.default, source: "default", line: null }];
  });
}

/** The effective settings as one object in the shape of a settings file. */
export function effectiveSettings(explained: readonly ExplainedSetting[]): unknown {
  return explained.reduce<unknown>(
    (all, { key, value }) =>
      mergeLayers(
        all,
        key.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value),
      ),
    {},
  );
}
