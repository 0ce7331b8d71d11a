import { homedir } from "node:os";
import { join } from "node:path";
import { firstWords, namedFiles, type NamingTree } from "../../core/verification/protect/named-files.ts";
import type { TreeFiles } from "../../core/verification/protect/sealed-tree.ts";
import type { CandidateRule } from "../../core/policies/candidate.ts";
import { candidateTree } from "../git/trees/candidate.ts";
import { openRunGit, type RunGitContext } from "../git/run-git.ts";
import { dependencyKey } from "./copy/dependency-key.ts";
import { findDependencyFolders, sealDependencies, type SealedDependencies } from "./copy/dependencies.ts";
import { sealIncluded } from "./copy/included-files.ts";
import { sealBase } from "./copy/seal-base.ts";
import { sealFolder, type SealRecord } from "./seal-record.ts";
import { openSealStore, type SealStore } from "./copy/seal-store.ts";
import { readToolPrints, usualTools } from "./tool-prints.ts";
import { listTree, readObject } from "./copy/tree-files.ts";

/** What is sealed, and for which checks. */
export type SealOptions = {
  rule: CandidateRule;
  commands: readonly string[];
  /** Paths of modules that `custom` verifications load. */
  modules: readonly string[];
  /** `seal.include`. */
  include: readonly string[];
  contractHash: string;
  /** The tree to seal; what the work tree would deliver unless told. */
  base?: string;
  /** Commands of held-out checks: their programs are sealed, and nothing else tells of them. */
  hidden?: readonly string[];
};

/**
 * Seals a project before the first turn: its tree, the programs of its checks, its dependencies. How the checks stand on it is not
 * known yet. Null outside git. Rejects when git or the disk cannot.
 */
export async function takeSeal(context: RunGitContext, order: SealOptions): Promise<SealRecord | null> {
  const { disk, env, folder: stateFolder, frozen, runId } = context;
  const run = await openRunGit(context, { turnMarker: `${runId}.0` });
  if (run === null) return null;
  const folder = sealFolder(stateFolder, runId);
  const base = order.base ?? (await candidateTree(run, order.rule)).tree;
  const store = await openSealStore({ disk, git: run.git, folder: join(folder, "repo.git"), own: run.store });
  const history = await sealBase(store, run, base);
  const directory = run.store.start.repository.prefix.replace(/\/$/, "");
  const files = await listTree(store, base);
  const naming = await namingTree(store, files);
  const checks = { commands: order.commands, modules: order.modules, directory };
  const path = env["PATH"] ?? "";
  const hidden = firstWords({ commands: order.hidden ?? [], directory }, naming);
  const programs = [...firstWords(checks, naming), ...hidden, ...usualTools];
  return {
    version: 1,
    base,
    history,
    directory,
    commands: [...order.commands],
    named: namedFiles(checks, naming),
    path,
    tools: await readToolPrints(programs, { path, directory: frozen.projectDir }),
    dependencies: await dependenciesOf(context, { store, files, top: run.store.start.repository.top }),
    include: await sealIncluded(order.include, { project: frozen.projectDir, folder: join(folder, "include") }),
    contractHash: order.contractHash,
    checks: [],
  };
}

/** Manifests are small and few; the commands of checks name scripts in them. */
async function namingTree(store: SealStore, files: TreeFiles): Promise<NamingTree> {
  const texts = new Map<string, string>();
  for (const [path, { object }] of files) if (isManifest(path)) texts.set(path, await readObject(store, object));
  return { has: (path) => files.has(path), manifest: (path) => texts.get(path) ?? null };
}

/** Whether checks may name scripts in a file. */
export function isManifest(path: string): boolean {
  return (path === "package.json" || path.endsWith("/package.json")) && !path.includes("node_modules/");
}

/** Whether a file says what is installed. */
export function isDependencyFile(path: string): boolean {
  return dependencyFiles.test(path) && !path.includes("node_modules/");
}

const dependencyFiles =
  /(?:^|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock|pyproject\.toml|requirements[\w.-]*\.txt|uv\.lock|poetry\.lock|Pipfile\.lock|Cargo\.toml|Cargo\.lock|Gemfile\.lock|go\.sum)$/;

async function dependenciesOf(
  context: RunGitContext,
  { store, files, top }: { store: SealStore; files: TreeFiles; top: string },
): Promise<SealedDependencies> {
  const paths = [...files.keys()].filter(isDependencyFile);
  const folders = findDependencyFolders(top, paths);
  if (folders.length === 0) return { key: "", folders: [] };
  const texts: { path: string; text: string }[] = [];
  for (const path of paths) texts.push({ path, text: await readObject(store, files.get(path)?.object ?? "") });
  // Packages may be built for this very Node; the place of another project's may hold other ones.
  const platform = `${process.platform}-${process.arch} ${top}`;
  const key = dependencyKey({ files: texts, runtimes: [process.version], platform });
  const { processes, env } = context;
  const cache = join(env["XDG_CACHE_HOME"] || join(env["HOME"] ?? homedir(), ".cache"), "ralph", "deps");
  return sealDependencies({ processes, env, directory: top, cache, key, project: top, paths: folders });
}
