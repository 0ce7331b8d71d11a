import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Disk, SharedFiles } from "../ports.ts";
import { readSharedText } from "../lib/read-shared-text.ts";
import { asOwn } from "../lib/as-own.ts";
import { removeLeftTemporaries } from "../lib/temporary-file.ts";
import { type FrozenHooks, freezeHooks } from "./frozen-hooks.ts";
import type { Git } from "./git.ts";
import { copyIndex } from "./index-file.ts";
import { type Link, readLinkState } from "./inner-repositories.ts";
import { linksAmong, listingWords, readListing } from "./listed-files.ts";
import { partsElsewhere } from "./parts-elsewhere.ts";
import type { Repository } from "./repository.ts";
import { type ConfigEntry, configVariables, contentConfig, isOfRepository, readConfig } from "./repository-config.ts";

/** How a repository stood before the first turn, as far as an agent could change it to mislead us. */
export type RepositoryStart = {
  repository: Repository;
  /** When this was written down, by the clock that the times of files come from. Absent where an agent may have worked before. */
  takenAt?: number;
  /** What `HEAD` said: a branch or a commit. Absent where an agent may have worked before. */
  head?: string | null;
  config: ConfigEntry[];
  /** False: an agent may have worked before, so that only the user's own configuration counts. */
  isBeforeTurns: boolean;
  /** Paths whose changes the user has hidden from git, as in a sparse checkout. */
  hidden: string[];
  /** The patterns of a sparse checkout; null where there was none. Absent: nobody knows. */
  sparse?: string | null;
  /** Files that git neither knew nor ignored. Empty where an agent may have worked before. */
  untracked: string[];
  /** What no commit held of the submodules that were not as their links said, by path. Absent where none was looked at. */
  links?: Record<string, string>;
  /** The commits that each submodule was linked to or had checked out, by path. */
  linkCommits?: Record<string, string[]>;
  /** Parts whose content lay outside of the repository. Absent where an agent may have worked before. */
  partsElsewhere?: string[];
  /** Absent where an agent may have worked before. */
  hooks?: FrozenHooks;
};

/**
 * A store of objects and an index of our own beside the user's repository. What is read through it depends on the files
 * of the project and on `start`: neither `.git/config` nor `info/exclude` nor the user's index has a say, and no object
 * is written to the user's repository.
 */
export type OwnStore = { folder: string; start: RepositoryStart; env: Readonly<Record<string, string>> };

/** Where a store is made, and of what. */
export type StoreOptions = {
  disk: Disk;
  git: Git;
  repository: Repository;
  folder: string;
  isBeforeTurns: boolean;
  /** The store of the run that this one belongs to: its start is older. */
  parentFolder?: string | null;
};

/** Opens the store in `folder` and creates it if necessary. Rejects when it cannot be written. */
export async function openOwnStore(options: StoreOptions): Promise<OwnStore> {
  const { disk, folder } = options;
  const known = await readStart(disk, folder);
  const start = known ?? (await startOf(options));
  if (known === null) await writeStore(options, start);
  // A former driver may have died while it pointed HEAD elsewhere: unlike a new store, a known one may never be written again.
  removeLeftTemporaries(disk, folder);
  // A former driver may have died while it held it; the run is ours alone.
  for (const name of indexNames) disk.remove(join(folder, `${name}.lock`));
  const settings = contentConfig(start.config).map(({ key, value }) => [key, value] as const);
  const env = {
    GIT_DIR: folder,
    GIT_WORK_TREE: start.repository.top,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...configVariables(settings),
  };
  return { folder, start, env };
}

/** The record of a store; null without one. */
export async function readStart(disk: Pick<Disk, "readText">, folder: string): Promise<RepositoryStart | null> {
  const text = await disk.readText(join(folder, "start.json"));
  return text === null ? null : asOwn<RepositoryStart>(JSON.parse(text));
}

/** One index a kind of look, so that each finds its files as it left them. */
export const indexNames = ["look", "candidate"] as const;

async function startOf(options: StoreOptions): Promise<RepositoryStart> {
  const { git, repository, isBeforeTurns } = options;
  const parent = await parentStart(options);
  if (parent !== null) {
    // A work tree of a task is ours from the beginning: nobody else put files there.
    const isSame = parent.repository.gitDir === repository.gitDir;
    return {
      ...parent,
      repository,
      ...(isSame ? {} : { head: readHeadFile(options.disk, repository), hidden: [], untracked: [] }),
    };
  }
  const config = await readConfig(git);
  if (isBeforeTurns) {
    const { links, ...files } = await readFiles(git, repository);
    const setting = config.findLast(({ key }) => key === "core.hookspath")?.value ?? null;
    const hooks = await freezeHooks(options.disk, {
      repository,
      setting,
      folder: join(options.folder, "frozen-hooks"),
    });
    const head = readHeadFile(options.disk, repository);
    const sparse = isSparse(config) ? sparsePatterns(options.disk, repository) : null;
    const parts = partsElsewhere(options.disk, repository);
    const own = { repository, takenAt: Date.now(), head, config, isBeforeTurns, sparse, partsElsewhere: parts, hooks };
    return { ...own, ...files, ...(await readLinks(options, links)) };
  }
  const counted = config.filter((entry) => !isOfRepository(entry) || isHarmless(entry));
  return { repository, config: counted, isBeforeTurns, hidden: [], untracked: [] };
}

/** What `HEAD` says now; null when it cannot be read. */
export function readHeadFile(disk: SharedFiles, { gitDir }: Repository): string | null {
  const text = copied(disk, join(gitDir, "HEAD")).trim();
  return text === "" ? null : text;
}

/** The patterns that say which files a sparse checkout leaves out, as they stand now. */
export function sparsePatterns(disk: Disk, { gitDir }: Repository): string {
  return copied(disk, join(gitDir, "info/sparse-checkout"));
}

function isSparse(config: readonly ConfigEntry[]): boolean {
  const value = config.findLast(({ key }) => key === "core.sparsecheckout")?.value ?? "false";
  return /^(?:true|yes|on|1)$/i.test(value);
}

async function readLinks(
  { disk, git, repository }: StoreOptions,
  links: readonly Link[],
): Promise<Required<Pick<RepositoryStart, "links" | "linkCommits">>> {
  const states: Record<string, string> = {};
  const commits: Record<string, string[]> = {};
  for (const link of links) {
    const state = await readLinkState(disk, git, repository.top, link);
    if (state !== null) states[link.path] = state.changes;
    commits[link.path] = [link.commit, ...(state === null ? [] : [state.head])];
  }
  return { links: states, linkCommits: commits };
}

/** How the repository stood when the run began that this one belongs to. */
async function parentStart({ disk, parentFolder, repository }: StoreOptions): Promise<RepositoryStart | null> {
  if (parentFolder === null || parentFolder === undefined) return null;
  const parent = await readStart(disk, parentFolder);
  return parent?.repository.commonDir === repository.commonDir ? parent : null;
}

async function readFiles(
  git: Git,
  { top, prefix }: Repository,
): Promise<Pick<RepositoryStart, "hidden" | "untracked"> & { links: Link[] }> {
  const end = await git(listingWords, { directory: top });
  const { entries, others } = readListing(end.exitCode === 0 ? end.stdout : "");
  const isOwn = (path: string): boolean => path.startsWith(`${prefix}.ralph/`) || path === `${prefix}.ralph-active`;
  // While a merge is not resolved a path stands there up to three times.
  const hidden = new Set(entries.filter(({ tag }) => tag !== "H").map(({ path }) => path));
  return { hidden: [...hidden], untracked: others.filter((path) => !isOwn(path)), links: linksAmong(entries) };
}

/** What the file system can do stands in every repository, and starts nothing. */
function isHarmless({ key }: ConfigEntry): boolean {
  return /^core\.(?:filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)$/.test(key) || isFormat(key);
}

function isFormat(key: string): boolean {
  return key === "extensions.objectformat";
}

/** The object that stands for an empty file in that repository. */
export function emptyFileOf(start: RepositoryStart): string {
  return emptyFile[objectFormatOf(start)];
}

const emptyFile = {
  sha1: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  sha256: "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
};

/** The tree without any file; git knows it without an object. */
export function emptyTreeOf(start: RepositoryStart): string {
  return emptyTree[objectFormatOf(start)];
}

const emptyTree = {
  sha1: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  sha256: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** By which hash objects are named in that repository. */
export function objectFormatOf({ config }: RepositoryStart): "sha1" | "sha256" {
  return formatOf(config) === "sha256" ? "sha256" : "sha1";
}

function formatOf(config: readonly ConfigEntry[]): string | undefined {
  return config.find(({ key }) => isFormat(key))?.value;
}

async function writeStore(options: StoreOptions, start: RepositoryStart): Promise<void> {
  const { disk, folder, repository, parentFolder } = options;
  const write = (name: string, text: string): Promise<void> => disk.writeAtomic(join(folder, name), text);
  const format = formatOf(start.config);
  const isInherited = (await parentStart(options)) !== null;
  const source = isInherited && typeof parentFolder === "string" ? parentFolder : repository.commonDir;
  await write("HEAD", "ref: refs/heads/none\n");
  await write("config", configText(format));
  await write("refs/README", "No reference is kept here.\n");
  await write("objects/info/alternates", `${join(repository.commonDir, "objects")}\n`);
  const own = [".ralph/", ".ralph-active"].map((name) => `/${repository.prefix}${name}\n`).join("");
  await write("info/exclude", `${copied(disk, join(source, "info/exclude"))}\n${own}`);
  // Where the history of a shallow clone ends; without the file git misses the commits before it.
  const shallow = copied(disk, join(source, "shallow"));
  if (shallow !== "") await write("shallow", shallow);
  await write("info/attributes", start.isBeforeTurns ? copied(disk, join(source, "info/attributes")) : "");
  if (!isInherited) copyUserIndex(start, folder);
  await write("start.json", JSON.stringify(start));
}

/** With what an agent may have written, or the user hides, ours is made of the files themselves. */
function copyUserIndex(start: RepositoryStart, folder: string): void {
  const { isBeforeTurns, hidden, sparse, repository } = start;
  if (!isBeforeTurns || hidden.length > 0 || typeof sparse === "string") return;
  const algorithm = objectFormatOf(start);
  for (const name of indexNames) {
    const path = join(folder, name);
    try {
      copyIndex(join(repository.gitDir, "index"), { path, algorithm });
    } catch {
      // The first look is slower without it.
      rmSync(path, { force: true });
    }
  }
}

function configText(format: string | undefined): string {
  const version = format === undefined ? 0 : 1;
  const extensions = format === undefined ? "" : `[extensions]\n\tobjectFormat = ${format}\n`;
  return `[core]\n\trepositoryFormatVersion = ${version}\n\tbare = false\n${extensions}`;
}

/** A small file beside the configuration. Git itself takes a pipe or a flood for no patterns. */
function copied(disk: SharedFiles, path: string): string {
  try {
    return readSharedText(path, disk) ?? "";
  } catch {
    return "";
  }
}
