import { isObject } from "../text/is-object.ts";
import { withoutAliases, writtenPath } from "./aliases.ts";
import { scanJson } from "./scan-json.ts";

/** One source of settings with a name for people: a file's path, a variable or `command line`. */
export type SettingsLayer = {
  source: string;
  value: unknown;
  /** The content of the file, for line numbers. */
  text?: string;
};

/** Where a value comes from: the last layer with the path, or the nearest path when it is missing. */
export function holderOf(
  path: readonly PropertyKey[],
  layers: readonly SettingsLayer[],
): { layer: SettingsLayer; path: readonly PropertyKey[] } | null {
  const layer = layers.findLast(({ value }) => valueAt(withoutAliases(value), path) !== undefined);
  if (layer !== undefined) return { layer, path };
  return path.length === 0 ? null : holderOf(path.slice(0, -1), layers);
}

/** The line of a setting in its file; null when the layer is not a file or does not have the path. */
export function lineIn(layer: SettingsLayer, path: readonly PropertyKey[]): number | null {
  if (layer.text === undefined) return null;
  return path.length === 0 ? 1 : scanJson(layer.text).lineOf(writtenPath(layer.value, path));
}

/** The value at a path of plain JSON. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isObject(at) && Object.hasOwn(at, key) ? at[String(key)] : undefined;
  }, value);
}
