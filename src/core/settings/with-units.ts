import { missingUnit } from "../text/duration.ts";
import { isObject } from "../text/is-object.ts";
import { settingList } from "./setting-list.ts";

/** Settings from a version that took a duration without a unit as milliseconds, with each unit added. */
export function withUnits(settings: unknown): unknown {
  const durations = settingList().filter(({ schema }) => schema.title === "duration");
  return durations.reduce<unknown>((value, { path }) => changedAt(value, path), settings);
}

function changedAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return isDuration(value) ? (missingUnit(value) ?? value) : value;
  return isObject(value) && Object.hasOwn(value, key) ? { ...value, [key]: changedAt(value[key], rest) } : value;
}

function isDuration(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
