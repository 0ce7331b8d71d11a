import { isObject } from "../../text/is-object.ts";
import type { LockEntry } from "./lock-entry.ts";

/** Folders of packages inside each other that are followed; npm makes far fewer. */
const depthMax = 50;

/** `package-lock.json`: `packages` by place since version 2, `dependencies` inside each other before. */
export function readNpmLock(text: string): LockEntry[] | null {
  const lock = parse(text);
  if (lock === null) return null;
  const packages = lock["packages"];
  if (isObject(packages)) {
    return Object.entries(packages).flatMap(([place, value]) => {
      const at = place.lastIndexOf("node_modules/");
      return at === -1 ? [] : entryOf(place.slice(at + "node_modules/".length), value);
    });
  }
  return isObject(lock["dependencies"]) ? nested(lock["dependencies"], 0) : [];
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function nested(dependencies: Record<string, unknown>, depth: number): LockEntry[] {
  if (depth > depthMax) return [];
  return Object.entries(dependencies).flatMap(([name, value]) => {
    const inner = isObject(value) && isObject(value["dependencies"]) ? value["dependencies"] : {};
    return [...entryOf(name, value), ...nested(inner, depth + 1)];
  });
}

function entryOf(place: string, value: unknown): LockEntry[] {
  if (!isObject(value)) return [];
  const text = (key: string): string | null => (typeof value[key] === "string" ? value[key] : null);
  const loaded = ["dependencies", "optionalDependencies", "peerDependencies", "requires"].flatMap((key) =>
    isObject(value[key]) ? Object.keys(value[key]) : [],
  );
  // An alias stands under another name than its own.
  const name = text("name") ?? place;
  const integrity = text("integrity") ?? text("resolved");
  return [{ name, version: text("version") ?? "", integrity, dependencies: [...new Set(loaded)] }];
}
