import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findOldNode as findInstalled, oldNodeVersions } from "../../scripts/old-nodes.ts";

/** A Node older than 22.18, in PATH or installed for the tests; null when there is none. */
export function findOldNode(): string | null {
  const candidates = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "node"));
  const installed = oldNodeVersions.flatMap((version) => findInstalled(version) ?? []);
  return [...candidates, ...installed].find((file) => existsSync(file) && isOld(file)) ?? null;
}

function isOld(file: string): boolean {
  const answer = spawnSync(file, ["--version"], { encoding: "utf8", timeout: 10_000 });
  const [major, minor] = (answer.stdout ?? "").replace("v", "").split(".").map(Number);
  if (major === undefined || minor === undefined) return false;
  return major < 22 || (major === 22 && minor < 18);
}
