import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { lockNames } from "../../core/verification/locks/read-lock.ts";
import { type ExplainedRule, explainProtection } from "../../core/verification/protect/explain-protection.ts";
import { firstWords, namedFiles, type NamingTree } from "../../core/verification/protect/named-files.ts";
import { matchPaths } from "../../core/verification/protect/path-glob.ts";
import { planReport } from "../../core/verification/reports/plan-report.ts";
import type { BaseFiles } from "../git/trees/base-files.ts";
import { listFiles } from "../lib/list-files.ts";
import { readTextFile } from "../lib/read-text-file.ts";
import { type ProbeContext, probeBubblewrap } from "./namespace/bubblewrap.ts";
import { findDependencyFolders } from "./copy/dependencies.ts";
import { skippedFolders } from "./copy/included-files.ts";
import type { SealRules } from "./open-seal.ts";
import { planFiles } from "./sealed-checks.ts";
import { isDependencyFile, isManifest } from "./take-seal.ts";
import { readToolPrints, type ToolPrint, usualTools } from "./tool-prints.ts";

/** What a seal of a project would hold. */
export type SealExplanation = {
  /** How many files the base has. */
  fileCount: number;
  protected: ExplainedRule[];
  /** `report` is null where the exit code is the only evidence. */
  checks: { command: string; report: string | null; runner: string | null }[];
  /** Programs that checks start; those that usual checks start and that are not here are left out. */
  tools: Pick<ToolPrint, "name" | "path" | "file" | "hash">[];
  dependencies: { folders: string[]; locks: string[] };
  isolation: { kind: "namespace" | "copy"; problem: string | null };
  /** Globs of `seal.include` with how many files each matches, and names of `seal.env` with whether they are set. */
  include: { glob: string; fileCount: number }[];
  env: { name: string; isSet: boolean }[];
};

/** What is explained. */
export type ExplainedSeal = {
  base: BaseFiles;
  commands: readonly string[];
  rules: SealRules & { include: readonly string[] };
};

/** A manifest or a makefile; a larger one is generated. */
const fileBytesMax = 4 * 1024 * 1024;

/** Looks at a project as the seal of a run would. Starts nothing but a try of bwrap, and writes nothing. */
export async function explainSeal(context: ProbeContext, order: ExplainedSeal): Promise<SealExplanation> {
  const { base, commands, rules } = order;
  const directory = base.prefix.replace(/\/$/, "");
  const checks = { commands, modules: [], directory };
  const naming = namingTree(base);
  const named = namedFiles(checks, naming);
  const manifests = base.paths.filter(isDependencyFile);
  return {
    fileCount: base.paths.length,
    protected: explainProtection(base.paths, { ...rules, named }),
    checks: commands.map((command) => ({ command, ...reportOf(base, command) })),
    tools: await toolsOf(context, firstWords(checks, naming)),
    dependencies: {
      folders: findDependencyFolders(base.top, manifests),
      locks: base.paths.filter((path) => lockNames.includes(nameOf(path)) && !path.includes("node_modules/")),
    },
    isolation: await isolationOf(context, rules.isolation),
    include: await includedBy(rules.include, context.directory),
    env: rules.env.map((name) => ({ name, isSet: context.env[name] !== undefined })),
  };
}

function namingTree({ top, paths }: BaseFiles): NamingTree {
  const known = new Set(paths);
  return {
    has: (path) => known.has(path),
    manifest: (path) => (known.has(path) && isManifest(path) ? textAt(top, path) : null),
  };
}

/** Null for a link, for what is no file, and for a file that is too large. */
function textAt(top: string, path: string): string | null {
  try {
    return readTextFile(join(top, path), { bytesMax: fileBytesMax, links: "refuse" });
  } catch {
    return null;
  }
}

function reportOf(
  { top, prefix, paths }: BaseFiles,
  command: string,
): { report: string | null; runner: string | null } {
  const known = new Set(paths);
  const files = (path: string): string | null =>
    planFiles.has(path) && known.has(`${prefix}${path}`) ? textAt(top, `${prefix}${path}`) : null;
  const plan = planReport({ command, files, file: "report" });
  return { report: plan?.format ?? null, runner: plan?.runner ?? null };
}

async function toolsOf({ env, directory }: ProbeContext, named: readonly string[]): Promise<SealExplanation["tools"]> {
  const prints = await readToolPrints([...named, ...usualTools], { path: env["PATH"] ?? "", directory });
  return prints
    .filter(({ name, path }) => path !== null || named.includes(name))
    .map(({ name, path, file, hash }) => ({ name, path, file, hash }));
}

async function isolationOf(
  context: ProbeContext,
  wanted: SealRules["isolation"],
): Promise<SealExplanation["isolation"]> {
  if (wanted === "copy") return { kind: "copy", problem: "seal.isolation is copy." };
  const { problem } = await probeBubblewrap({ ...context, directory: "/" });
  return { kind: problem === null ? "namespace" : "copy", problem };
}

async function includedBy(globs: readonly string[], directory: string): Promise<SealExplanation["include"]> {
  if (globs.length === 0) return [];
  const project = realpathSync(directory);
  const paths = (await listFiles(project, skippedFolders)).map((path) => relative(project, path));
  return globs.map((glob) => ({ glob, fileCount: paths.filter(matchPaths([glob])).length }));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
