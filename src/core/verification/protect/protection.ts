import { matchPaths } from "./path-glob.ts";
import {
  agentGlobs,
  manifestKeys,
  pythonModules,
  pythonRoots,
  runnerExceptions,
  runnerGlobs,
  testGlobs,
} from "./protected-defaults.ts";

/**
 * Why a path of the base is restored in a sealed copy. `test`: new ones stay. `runner`, `named` (by a check or by the settings)
 * and `agent` (what agents obey): new ones are left out. `shadow`: a module that would hide one of the runner's; new ones are
 * left out, one of the base is ordinary code.
 */
export type Protection = "test" | "runner" | "shadow" | "named" | "agent";

/** What a seal protects, beside its defaults. All are globs of `matchPaths`; `named` are paths. */
export type ProtectRules = {
  /** `seal.protect`; `package.json#scripts` names a key of a manifest. */
  protect: readonly string[];
  /** `seal.allow`: what the agent may change although it is protected. */
  allow: readonly string[];
  /** `seal.writable`: protected paths that a suite must write during its run. */
  writable: readonly string[];
  /** Files that checks name, see `namedFiles`. */
  named: readonly string[];
};

/** Rules as functions of a path. Made once: a tree has thousands of paths. */
export type Protections = {
  protectionOf(path: string): Protection | null;
  /** The keys of a manifest that come from the base; empty for every other file. */
  keysOf(path: string): readonly string[];
  isWritable(path: string): boolean;
};

/** Why a path is protected; null when it is the agent's. */
export function protectionOf(path: string, rules: ProtectRules): Protection | null {
  return createProtections(rules).protectionOf(path);
}

/** Reads the rules of a seal. */
export function createProtections(rules: ProtectRules): Protections {
  const isAllowed = matchPaths(rules.allow);
  const isWritable = matchPaths(rules.writable);
  const isAsked = matchPaths(rules.protect.filter((glob) => !glob.includes("#")));
  const named = new Set(rules.named);
  const keys = keyRules(rules.protect);
  const find = (path: string): Protection | null => {
    // A configuration among the tests is a configuration: a new one must not count as a new test.
    if (isRunner(path) && !isException(path)) return "runner";
    if (isShadow(path)) return "shadow";
    if (isAgentFile(path)) return "agent";
    if (isTest(path)) return "test";
    return named.has(path) || isAsked(path) ? "named" : null;
  };
  return {
    protectionOf: (path) => (isAllowed(path) ? null : find(path)),
    keysOf: (path) => (isAllowed(path) || find(path) === "runner" ? [] : keysOfManifest(path, keys)),
    isWritable,
  };
}

const isTest = matchPaths(testGlobs);
const isRunner = matchPaths(Object.values(runnerGlobs).flat());
const isException = matchPaths(runnerExceptions);
const isAgentFile = matchPaths(agentGlobs);

/** `unittest.py` or `unittest/__init__.py` where Python looks before it looks in its own library. */
function isShadow(path: string): boolean {
  if (!path.endsWith(".py")) return false;
  const names = path.split("/");
  const roots = [...pythonRoots, ...testFolders(names)];
  return roots.some((root) => {
    const inner = root === "" ? path : path.slice(root.length + 1);
    if (root !== "" && !path.startsWith(`${root}/`)) return false;
    const [first = ""] = inner.split("/");
    return pythonModules.has(first.replace(/\.py$/, ""));
  });
}

/** The folders of a path that lie inside of the tests, the outermost with them: test runners import from each. */
function testFolders(names: readonly string[]): string[] {
  const folders = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join("/"));
  return folders.filter((folder) => isTest(`${folder}/x`));
}

type KeyRule = { isFile: (path: string) => boolean; key: string };

function keyRules(protect: readonly string[]): KeyRule[] {
  return protect.flatMap((glob) => {
    const at = glob.indexOf("#");
    if (at === -1) return [];
    const keys = glob.slice(at + 1).split(",");
    const isFile = matchPaths([glob.slice(0, at)]);
    return keys.filter((key) => key !== "").map((key) => ({ isFile, key }));
  });
}

function keysOfManifest(path: string, rules: readonly KeyRule[]): readonly string[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const asked = rules.filter(({ isFile }) => isFile(path)).map(({ key }) => key);
  const usual = Object.hasOwn(manifestKeys, name) ? (manifestKeys[name] ?? []) : [];
  return [...new Set([...usual, ...asked])];
}
