import { isObject } from "../text/is-object.ts";
import { withoutAliases, writtenPath } from "./aliases.ts";
import { scanJson } from "./scan-json.ts";

/** One source of settings, named as people know it: a file's path, a variable or `command line`. */
export type SettingsLayer = {
  source: string;
  value: unknown;
  /** What the file holds, for line numbers. */
  text?: string;
};

/** Where a value stands: the last layer that holds the path, or what is nearest to a missing one. */
export function holderOf(
  path: readonly PropertyKey[],
  layers: readonly SettingsLayer[],
): { layer: SettingsLayer; path: readonly PropertyKey[] } | null {
  const layer = layers.findLast(({ value }) => valueAt(withoutAliases(value), path) !== undefined);
  if (layer !== undefined) return { layer, path };
  return path.length === 0 ? null : holderOf(path.slice(0, -1), layers);
}

/** The line of a setting in its file; null when the layer is no file or the path is not in it. */
export function lineIn(layer: SettingsLayer, path: readonly PropertyKey[]): number | null {
  if (layer.text === undefined) return null;
  return path.length === 0 ? 1 : scanJson(layer.text).lineOf(writtenPath(layer.value, path));
}

/** What stands at a path of plain JSON. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isObject(at) && Object.hasOwn(at, key) ? at[String(key)] : undefined;
  }, value);
}
