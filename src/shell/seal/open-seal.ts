import { homedir } from "node:os";
import { basename, join } from "node:path";
import { createProtections, type Protections } from "../../core/verification/protect/protection.ts";
import type { TreeFiles } from "../../core/verification/protect/sealed-tree.ts";
import { openRunGit, type RunGit, type RunGitContext } from "../git/run-git.ts";
import { readBytesFile } from "../lib/read-text-file.ts";
import { type BindPlan, type PlannedFile, planBinds } from "./namespace/bind-plan.ts";
import { type Bubblewrap, probeBubblewrap } from "./namespace/bubblewrap.ts";
import { readIncluded } from "./copy/included-files.ts";
import { programFolders } from "./namespace/namespace.ts";
import { createDependencyPlacer, type DependencyMounts } from "./copy/place-dependencies.ts";
import { runSealed, type SealedContext, type SealedRun, type SealedRunOptions } from "./copy/run-sealed.ts";
import { openSealedCopy, type SealedCopy } from "./copy/sealed-copy.ts";
import { makeInside } from "./copy/write-inside.ts";
import { sealedEnvironment } from "./namespace/sealed-environment.ts";
import { sealContent, type SealRecord } from "./seal-record.ts";
import { importObjects, openSealStore, type SealStore } from "./copy/seal-store.ts";
import { compareToolPrints, readToolPrints, sealedPath } from "./tool-prints.ts";
import { toolchainPaths, toolchainVariables } from "./namespace/toolchains.ts";
import { listTree, readDifference, readObject, type WrittenTree, writeSealedTree } from "./copy/tree-files.ts";

/** The part of the settings that says how sealed checks run. */
export type SealRules = {
  protect: readonly string[];
  allow: readonly string[];
  writable: readonly string[];
  env: readonly string[];
  network: "loopback" | "host";
  isolation: "auto" | "namespace" | "copy";
};

/**
 * Which files a command sees: the candidate's, with the tests of the base (A) or its own (B); `overlay` puts texts in their place, and
 * `added` are files beside them that nobody may write. A seal opened apart is the place for the latter.
 */
export type SealedContent = {
  candidate: string;
  variant: "A" | "B";
  overlay?: ReadonlyMap<string, string>;
  added?: ReadonlyMap<string, Uint8Array>;
};

/** One command in the copy. */
export type CommandInCopy = SealedContent & {
  turnMarker: string;
  /** From the project; empty for the project itself. */
  workingDir: string;
  report: SealedRunOptions["report"];
};

/** The seal of a run, ready to verify candidates. Commands run one after the other, in one copy. */
export type OpenSeal = {
  record: SealRecord;
  /** The top of the copy. */
  folder: string;
  /** Where the objects and files of the seal lie. */
  content: string;
  /** What holds commands in: a namespace, or only the copy; then `problem` says why. */
  isolation: { kind: "namespace"; problem: null } | { kind: "copy"; problem: string };
  /** What a copy of a candidate holds, and how it differs from it. Rejects when git cannot tell. */
  written(content: SealedContent): Promise<WrittenTree>;
  /** The files of a tree that the seal holds. */
  files(tree: string): Promise<TreeFiles>;
  /** The text of a file, by its object. */
  text(object: string): Promise<string>;
  /** What a candidate changes in all files, or in some, as a patch without context. */
  difference(candidate: string, files?: readonly string[]): Promise<string>;
  /** Lets somebody look at the project in a copy that holds the content and in which nothing has run; `use` gets its folder. */
  view<Result>(content: SealedContent, use: (directory: string) => Promise<Result>): Promise<Result>;
  /** The texts of all test files of a copy that holds the content and in which nothing has run yet, by path. */
  testTexts(content: SealedContent): Promise<Map<string, string>>;
  /**
   * Runs a command in the copy. Commands with equal content find what the ones before them left, as checks in one work tree do;
   * `afresh` clears it away first.
   */
  run<End>(
    order: CommandInCopy,
    start: (place: SealedContext) => Promise<End>,
    afresh?: "afresh",
  ): Promise<SealedRun<End>>;
  /** Programs that are not those of the seal, a sentence each. */
  toolChanges(): Promise<string[]>;
  /** Removes the copy. */
  close(): void;
};

/** Opens the seal that a record describes. Rejects when the repository or the seal's objects cannot be read. */
export async function openSeal(context: RunGitContext, record: SealRecord, rules: SealRules): Promise<OpenSeal> {
  const { disk, env, folder, frozen, processes, runId } = context;
  const caller = { turnMarker: `${runId}.seal/${process.pid}` };
  const run = await openRunGit(context, caller);
  if (run === null) throw new Error(`${frozen.projectDir} is no longer in a git repository`);
  const place = sealContent(folder, runId, record);
  const store = await openSealStore({ disk, git: run.git, folder: join(place, "repo.git"), own: run.store });
  const probe = rules.isolation === "copy" ? notWanted : await probeBubblewrap({ processes, env, directory: "/" });
  const top = record.owner?.top ?? run.store.start.repository.top;
  const copy = openSealedCopy({
    store,
    name: basename(top),
    history: record.history,
    include: readIncluded(join(place, "include"), record.include),
    dependencies: record.dependencies.folders.map(({ path }) => path),
  });
  const writable = writableOf({ record, rules });
  const protections = createProtections({ ...rules, writable, named: record.named });
  const parts = { context, record, rules, run, store, copy, place, top, protections, bubblewrap: probe.bubblewrap };
  return sealOf(parts, probe.problem ?? null);
}

/** What suites may write beside their tests: by the settings, and because that of the base does. */
function writableOf({ record, rules }: Pick<Parts, "record" | "rules">): string[] {
  return [...rules.writable, ...(record.filled ?? [])];
}

const notWanted = { bubblewrap: null, problem: "seal.isolation is copy" };

type Parts = {
  context: RunGitContext;
  record: SealRecord;
  rules: SealRules;
  run: RunGit;
  store: SealStore;
  copy: SealedCopy;
  place: string;
  top: string;
  protections: Protections;
  bubblewrap: Bubblewrap | null;
};

function sealOf(parts: Parts, problem: string | null): OpenSeal {
  const { record, run, store, copy, protections } = parts;
  const trees = new Map<string, Promise<WrittenTree>>();
  const written: OpenSeal["written"] = ({ candidate, variant }) => {
    const key = `${variant} ${candidate}`;
    const known = trees.get(key) ?? writeTree({ store, run, record, protections }, { candidate, variant });
    trees.set(key, known);
    return known;
  };
  const dependencies = createDependencyPlacer({
    ...placerContext(parts),
    copy,
    dependencies: record.dependencies,
    hasNamespace: parts.bubblewrap !== null,
  });
  const prepared = prepareInTurn(async (content: SealedContent) => {
    const { tree } = await written(content);
    await copy.prepare({
      tree,
      overlay: new Map<string, string | Uint8Array>([...(content.overlay ?? []), ...(content.added ?? [])]),
    });
    return dependencies.place();
  });
  return {
    record,
    folder: copy.folder,
    content: parts.place,
    isolation: problem === null ? { kind: "namespace", problem } : { kind: "copy", problem },
    written,
    files: (tree) => listTree(store, tree),
    text: (object) => readObject(store, object),
    difference: (candidate, files = []) => readDifference(store, { from: record.base, to: candidate, files }),
    view: (content, use) => prepared(content, true, () => use(join(copy.folder, record.directory))),
    testTexts: (content) => prepared(content, true, async () => readTests(copy.folder, (await written(content)).files)),
    run: (order, start, afresh) =>
      prepared(order, afresh === "afresh", async (mounts) => {
        const files = plannedFiles(await written(order), protections, order);
        return runSealed(runOptions(parts, { order, files, mounts }), start);
      }),
    async toolChanges() {
      const { path, tools } = record;
      const names = tools.map(({ name }) => name);
      const directory = parts.context.frozen.projectDir;
      return compareToolPrints(tools, await readToolPrints(names, { path, directory }, tools));
    },
    close: () => copy.remove(),
  };
}

/** Test files that are read for a probe; a suite of more files is probed by the first ones. */
const testFilesMax = 5_000;
const testBytesMax = 1024 * 1024;

function readTests(folder: string, files: WrittenTree["files"]): Map<string, string> {
  const tests = files.filter(({ protection, mode }) => protection === "test" && mode.startsWith("100"));
  const texts = new Map<string, string>();
  for (const { path } of tests.slice(0, testFilesMax)) {
    const bytes = readBytesFile(join(folder, path), { bytesMax: testBytesMax + 1, links: "refuse" });
    if (bytes !== null && bytes.length <= testBytesMax && !bytes.includes(0)) texts.set(path, bytes.toString("utf8"));
  }
  return texts;
}

/** Takes the objects of a candidate over and writes the tree that its copy holds. */
async function writeTree(
  { store, run, record, protections }: Pick<Parts, "store" | "run" | "record" | "protections">,
  { candidate, variant }: SealedContent,
): Promise<WrittenTree> {
  if (candidate !== record.base)
    await importObjects(store, run, { wanted: [candidate], known: await knownTo(run, record) });
  return writeSealedTree(store, { base: record.base, candidate, protections, variant });
}

/**
 * What the seal has and the run's own store can tell apart. The base is here already; with accepted changes, or as the work tree of another
 * run held it, it may be nowhere else.
 */
async function knownTo({ git, store }: RunGit, { accepted, base, history }: SealRecord): Promise<string[]> {
  const start = accepted?.start ?? base;
  const isThere = (await git(["cat-file", "-e", start], { env: store.env })).exitCode === 0;
  return isThere ? [start] : [history.head].filter((each) => each !== null);
}

type Prepare = (content: SealedContent) => Promise<DependencyMounts>;

/** Lets one command at a time use the copy, and prepares it where the content is another one. */
function prepareInTurn(prepare: Prepare) {
  let last: Promise<unknown> = Promise.resolve();
  let held: { content: string; mounts: DependencyMounts } | null = null;
  return <Result>(
    content: SealedContent,
    isAfresh: boolean,
    use: (mounts: DependencyMounts) => Promise<Result>,
  ): Promise<Result> => {
    const own = last.then(async () => {
      const added = [...(content.added?.keys() ?? [])];
      const name = JSON.stringify([content.candidate, content.variant, [...(content.overlay ?? [])], added]);
      const mounts = held?.content === name && !isAfresh ? held.mounts : await fill(content, name);
      return use(mounts);
    });
    last = own.catch(() => {});
    return own;
  };
  async function fill(content: SealedContent, name: string): Promise<DependencyMounts> {
    held = null;
    const mounts = await prepare(content);
    held = { content: name, mounts };
    return mounts;
  }
}

/** Files that nobody may write during a run: what the seal restores, but for what the settings let suites write. */
function plannedFiles(
  { files }: WrittenTree,
  protections: Protections,
  { overlay, added }: Pick<SealedContent, "overlay" | "added">,
): PlannedFile[] {
  const planned = files.map(({ path, mode, protection, from }) => {
    const isSealed = protection !== null || from === "merged" || overlay?.has(path) === true;
    return { path, mode, isReadOnly: isSealed && !protections.isWritable(path) };
  });
  return [...planned, ...[...(added?.keys() ?? [])].map((path) => ({ path, mode: "100644", isReadOnly: true }))];
}

type Run = { order: CommandInCopy; files: readonly PlannedFile[]; mounts: DependencyMounts };

function runOptions(parts: Parts, { order, files, mounts }: Run): SealedRunOptions {
  const { context, copy, record, rules } = parts;
  const { env, processes } = context;
  const home = env["HOME"] ?? homedir();
  const { top } = parts;
  const path = sealedPath(record.path, { home, project: top, copy: copy.folder });
  const isThere = (each: string): boolean => context.disk.look(each) !== null;
  const environment = sealedEnvironment({
    env,
    path,
    home: copy.home,
    temporary: copy.temporary,
    kept: rules.env,
    turnMarker: order.turnMarker,
    toolchains: toolchainVariables(env, isThere),
  });
  const binds = planBinds(files, { writable: writableOf(parts) });
  if (parts.bubblewrap !== null) for (const filled of binds.filled) makeInside(copy.folder, filled);
  return {
    copy,
    processes,
    env: environment,
    directory: join(record.directory, order.workingDir),
    namespace: namespaceOf(parts, { path, home, top, binds, mounts }),
    protectedFiles: files.filter(({ isReadOnly }) => isReadOnly).map((file) => file.path),
    isInTree: isOneOf(files),
    report: order.report,
  };
}

function isOneOf(files: readonly PlannedFile[]): (path: string) => boolean {
  const paths = new Set(files.map(({ path }) => path));
  return (path) => paths.has(path);
}

type Around = { path: string; home: string; top: string; binds: BindPlan; mounts: DependencyMounts };

function namespaceOf(parts: Parts, { path, home, top, binds, mounts }: Around): SealedRunOptions["namespace"] {
  const { bubblewrap, context, record, rules, store } = parts;
  if (bubblewrap === null) return null;
  const isThere = (each: string): boolean => context.disk.look(each) !== null;
  const objects = join(store.folder, "objects");
  return {
    bubblewrap,
    binds,
    readOnly: [{ source: objects, target: objects }, ...mounts.readOnly],
    caches: mounts.caches,
    programs: programFolders({
      folders: [...path.split(":"), ...toolchainPaths(context.env, isThere)],
      files: record.tools.flatMap(({ file }) => file ?? []),
      hidden: [home, top, context.folder],
      home,
    }),
    network: rules.network,
  };
}

function placerContext({ context, copy }: Parts): {
  processes: RunGitContext["processes"];
  env: RunGitContext["env"];
  directory: string;
} {
  const { processes, env } = context;
  return { processes, env, directory: copy.root };
}
