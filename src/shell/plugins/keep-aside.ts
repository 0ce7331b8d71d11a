import { existsSync, renameSync } from "node:fs";
import type { PluginChange } from "./install-plugin.ts";

/** Moves a file of ours that somebody edited out of the way: no work is lost. */
export function keepAside(path: string): PluginChange {
  const kept = [`${path}.old`, ...Array.from({ length: copiesMax }, (_, index) => `${path}.old-${index + 2}`)].find(
    (name) => !existsSync(name),
  );
  const aside = kept ?? `${path}.old-${Date.now()}`;
  renameSync(path, aside);
  return { path: aside, did: "kept" };
}

const copiesMax = 99;
