import { createHash } from "node:crypto";
import { isObject } from "../../../core/text/is-object.ts";
import { readTomlStatements } from "../../../core/verification/protect/toml-statements.ts";

/** A file that says what is installed: a lock file, or the manifest beside it. Paths count from the top of the tree. */
export type DependencyFile = { path: string; text: string };

/** What decides whether two installations are the same. */
export type DependencyFacts = {
  files: readonly DependencyFile[];
  /** `node 24.1.0`, `python 3.11.2`: packages may be built for one of them. */
  runtimes: readonly string[];
  /** `linux-x64`. */
  platform: string;
};

/** Names one installation: equal keys mean equal dependencies. */
export function dependencyKey({ files, runtimes, platform }: DependencyFacts): string {
  const parts = files.map(({ path, text }) => [path, dependencyPart(path, text)]);
  const sorted = parts.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1));
  const content = JSON.stringify([version, sorted, [...runtimes].toSorted(), platform]);
  return createHash("sha256").update(content).digest("hex");
}

/** Raised when the way of copying changes: old folders are not used then. */
const version = 1;

/** The part of a manifest that says what is installed; a lock file counts as a whole. */
export function dependencyPart(path: string, text: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "package.json") return JSON.stringify(ofPackage(text));
  if (name === "pyproject.toml" || name === "Cargo.toml") return ofToml(text);
  return text;
}

const packageKeys =
  "dependencies devDependencies optionalDependencies peerDependencies bundledDependencies overrides resolutions workspaces pnpm".split(
    " ",
  );

function ofPackage(text: string): unknown {
  try {
    const manifest: unknown = JSON.parse(text);
    return isObject(manifest) ? packageKeys.map((key) => (Object.hasOwn(manifest, key) ? manifest[key] : null)) : text;
  } catch {
    return text;
  }
}

const tomlTables =
  /^(?:(?:.*\.)?(?:dev-|build-|optional-)?dependencies|dependency-groups|build-system|workspace|patch|project\.optional-dependencies|tool\.(?:poetry|uv|pdm))(?:\.|$)/;

function ofToml(text: string): string {
  const isMeant = (path: readonly string[]): boolean => tomlTables.test(path.join("."));
  return readTomlStatements(text)
    .filter(({ path }) => isMeant(path))
    .map((statement) => statement.text.trim())
    .join("\n");
}
