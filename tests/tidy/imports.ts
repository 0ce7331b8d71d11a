import { posix } from "node:path";
import { isProduct, type SourceFile } from "./source-file.ts";

/** One import of a file; `target` is a path from the root for our own files, else the package's name. */
export type Import = { target: string; isTypeOnly: boolean };

/** Exceptions to a rule: the path (or the path, ` -> ` and the target) with its reason. The lists only shrink. */
export type Exceptions = Readonly<Record<string, string>>;

/** surfaces → app → shell → core, never back, never sideways between surfaces or between agents. */
export function findWrongDirections(files: readonly SourceFile[], exceptions: Exceptions): string[] {
  return files.filter(isProduct).flatMap((file) =>
    importsOf(file)
      .filter(({ target }) => target.startsWith("src/") && !isAllowed(file.path, target))
      .map(({ target }) => `${file.path} -> ${target}`)
      .filter((problem) => exceptions[problem] === undefined),
  );
}

/** Where a command opens the ports that it hands to app. */
const compositionRoot = ["src/shell/wire.ts", "src/shell/wire-store.ts"];

/** A surface reads input, calls app and renders: of the shell it uses types, and the composition root for its ports. */
export function findBypassedApp(files: readonly SourceFile[], exceptions: Exceptions): string[] {
  return files
    .filter((file) => isProduct(file) && file.path.startsWith("src/surfaces/"))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ target, isTypeOnly }) => !isTypeOnly && target.startsWith("src/shell/"))
        .filter(({ target }) => !compositionRoot.includes(target))
        .map(({ target }) => `${file.path} -> ${target}`)
        .filter((problem) => exceptions[problem] === undefined),
    );
}

/** One folder starts git: nowhere else of the shell and the surfaces is it a program to start. */
export function findGitStarts(files: readonly SourceFile[], exceptions: Exceptions): string[] {
  return files
    .filter((file) => isProduct(file) && /^src\/(shell|surfaces)\//.test(file.path))
    .filter((file) => !file.path.startsWith("src/shell/git/") && exceptions[file.path] === undefined)
    .filter((file) => gitStart.test(withoutComments(file.text)))
    .map((file) => `${file.path} starts git`);
}

const gitStart = /(?:\w*(?:spawn|exec|fork)\w*\(\s*|[[(]\s*|argv:\s*)["'`](?:\S*\/)?git["'`]\s*[,\])]/i;

/** Only these files start processes by themselves: whatever goes past the port, a sandbox could not hold. */
export function findProcessStarts(files: readonly SourceFile[], exceptions: Exceptions): string[] {
  return files
    .filter((file) => isProduct(file) && exceptions[file.path] === undefined)
    .filter((file) => importsOf(file).some((each) => !each.isTypeOnly && processModule.test(each.target)))
    .map((file) => `${file.path} starts processes`);
}

const processModule = /^(?:node:)?(?:child_process|cluster)$/;

/** What core may use of others: pure, and at home in a browser. */
const corePackages = new Set(["jsonc-parser"]);

/** Core has no I/O: no module of Node, and only the packages above. */
export function findOutsideOfCore(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => isProduct(file) && file.path.startsWith("src/core/"))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => !target.startsWith("src/") && !corePackages.has(target))
        .map(({ target }) => `${file.path} -> ${target}`),
    );
}

/** What a hook needs starts fast: these folders reach no schema library, also not through others. */
export function findSchemaInEngine(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const starts = files.filter((file) => isProduct(file) && schemaFree.test(file.path));
  return starts.flatMap((file) => {
    const chain = findChain(file.path, "zod", byPath);
    return chain === null ? [] : [chain.join(" -> ")];
  });
}

/** Where every implementation is known. */
const wiring = ["src/shell/wire.ts", "src/shell/wire-agents.ts"];

/** Only the wiring knows every implementation: nobody else imports an agent's folder from outside of it. */
export function findAgentImports(files: readonly SourceFile[], exceptions: Exceptions): string[] {
  return files
    .filter((file) => isProduct(file) && !wiring.includes(file.path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ target }) => agentOf(target) !== null && agentOf(target) !== agentOf(file.path))
        .map(({ target }) => `${file.path} -> ${target}`)
        .filter((problem) => exceptions[problem] === undefined),
    );
}

/** An agent's name as a value stands only in its own places, in the wiring, and in what imitates them all, `sim`. */
export function findAgentNames(
  files: readonly SourceFile[],
  agents: readonly string[],
  exceptions: Exceptions,
): string[] {
  return files
    .filter((file) => isProduct(file) && !wiring.includes(file.path) && exceptions[file.path] === undefined)
    .flatMap((file) =>
      agents
        .filter((agent) => !isHomeOf(agent, file.path))
        .filter((agent) => new RegExp(`["'\`]${agent}["'\`]`).test(withoutComments(file.text)))
        .map((agent) => `${file.path}: "${agent}"`),
    );
}

/** Everything a file imports, also lazily, with relative paths resolved. */
export function importsOf(file: SourceFile): Import[] {
  const text = withoutComments(file.text);
  return [...text.matchAll(importStatement), ...text.matchAll(lazyImport)].map((match) => {
    const { specifier = "", clause = "" } = match.groups ?? {};
    const isOwn = specifier.startsWith(".");
    return {
      target: isOwn ? posix.join(posix.dirname(file.path), specifier) : packageOf(specifier),
      isTypeOnly: /^type\b/.test(clause.trim()),
    };
  });
}

const schemaFree = /^src\/core\/(engine|run|claims|policies|prompts|agents|verification|guard|prd)\//;
const importStatement = /^\s*(?:import|export)\s+(?:(?<clause>[^"';]*?)\s+from\s+)?["'](?<specifier>[^"']+)["']/gm;
const lazyImport = /\bimport\(\s*["'](?<specifier>[^"']+)["']\s*\)/g;

function packageOf(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
}

function isAllowed(from: string, to: string): boolean {
  if (!/^src\/(core|shell|app|surfaces)\//.test(from)) return true;
  if (to.startsWith("src/core/")) return true;
  if (from.startsWith("src/core/")) return false;
  if (to.startsWith("src/shell/")) return !isSideways(from, to);
  if (from.startsWith("src/shell/")) return false;
  if (to.startsWith("src/app/")) return true;
  return from.startsWith("src/surfaces/") && from.split("/")[2] === to.split("/")[2];
}

function isSideways(from: string, to: string): boolean {
  const [own, other] = [agentOf(from), agentOf(to)];
  return own !== null && other !== null && own !== other;
}

function agentOf(path: string): string | null {
  return /^src\/shell\/agents\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function isHomeOf(agent: string, path: string): boolean {
  const sim = ["src/shell/agents/sim/", "src/surfaces/sim/"];
  const folders = [`src/shell/agents/${agent}/`, `src/surfaces/hooks/${agent}/`, ...sim];
  return folders.some((folder) => path.startsWith(folder));
}

function findChain(from: string, goal: string, byPath: ReadonlyMap<string, SourceFile>): string[] | null {
  const queue = [[from]];
  const seen = new Set([from]);
  for (let chain = queue.shift(); chain !== undefined; chain = queue.shift()) {
    const file = byPath.get(chain.at(-1) ?? "");
    for (const { target, isTypeOnly } of file === undefined ? [] : importsOf(file)) {
      if (isTypeOnly || seen.has(target)) continue;
      if (target === goal) return [...chain, target];
      seen.add(target);
      queue.push([...chain, target]);
    }
  }
  return null;
}

export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}

/** Whatever opens or reads a file: it blocks on a pipe and floods memory unless it is told not to. */
const readers = /^(?:open|readFile|copyFile|cp)(?:Sync)?$|^createReadStream$/;

/** Product files that read files by themselves, as `path: names`. `read-text-file.ts` is the reader for all of them. */
export function findRawReads(files: readonly SourceFile[], exceptions: Exceptions): string[] {
  return files
    .filter((file) => isProduct(file) && exceptions[file.path] === undefined)
    .flatMap((file) => {
      const found = [...file.text.matchAll(/import \{([^}]*)\} from "(?:node:)?fs(?:\/promises)?"/g)];
      const names = found.flatMap((match) =>
        (match[1] ?? "").split(",").map((name) => name.trim().split(" as ")[0] ?? ""),
      );
      const isWhole = /import (?:\* as \w+|\w+) from "(?:node:)?fs(?:\/promises)?"/.test(file.text);
      const raw = [...names.filter((name) => readers.test(name)), ...(isWhole ? ["all of node:fs"] : [])];
      return raw.length === 0 ? [] : [`${file.path}: ${raw.join(", ")}`];
    });
}
