import { join } from "node:path";
import type { Link } from "../inner-repositories.ts";
import {
  type IndexEntry,
  linesOf,
  linksAmong,
  type ListedFiles,
  listingWords,
  othersWords,
  readListing,
} from "../listed-files.ts";
import { pathsInIndex } from "../index-file.ts";
import { emptyFileOf, type indexNames, objectFormatOf, sparsePatterns } from "../own-store.ts";
import type { StoreContext } from "../run-git.ts";
import { describeFailure, type ToolEnd } from "../run-tool.ts";
import { markUserIndex, quickTree, rememberListed } from "./quick-tree.ts";
import { treeOfLook } from "./tree-of-look.ts";

/** Which files a tree holds. */
export type StageRule = {
  index: (typeof indexNames)[number];
  /** Whether a file that git does not know, and does not ignore, is part of it. */
  isNewTaken: (path: string) => boolean;
  /** Whether a path that the user's index knows is part of it. */
  isKnownTaken: (path: string) => boolean;
};

/** A tree of the files as they are now, in the store of our own; paths count from the top of the repository. */
export type StagedTree = {
  tree: string;
  /** Files git does not know that are part of the tree. */
  added: string[];
  /** Files git does not know that are not, and repositories inside this one. */
  left: string[];
  /** Paths that stand for a commit of another repository. */
  links: Link[];
  /** The commit of HEAD that git read for it; null where it read none. */
  head: string | null;
  /** Every path that the tree holds as far as it is in the work tree; asked before the next look. */
  paths: () => Promise<string[]>;
};

/**
 * A look at everything that began at this time of `performance.now`, or later, tells how the files stand: nothing that may
 * change them was started since.
 */
export type LookedSince = { lookedSinceUpMs?: number | null };

/**
 * Writes the files of the work tree as a tree. Which files there are is asked of the user's index and of the ignore
 * patterns; what they hold is always read from the files themselves. Rejects when git cannot tell.
 */
export async function stageTree(
  context: StoreContext,
  rule: StageRule,
  { lookedSinceUpMs = null }: LookedSince = {},
): Promise<StagedTree> {
  const known = lookedSinceUpMs === null ? null : await treeOfLook(context, rule, lookedSinceUpMs).catch(() => null);
  return known ?? (await quickTree(context, rule).catch(() => null)) ?? stageListed(context, rule);
}

/** The slow way: by lists of everything, from what is on the disk alone. */
export async function stageListed(context: StoreContext, rule: StageRule): Promise<StagedTree> {
  const [atMs, beganUpMs] = [Date.now(), performance.now()];
  const user = markUserIndex(context, atMs);
  const listed = await listFiles(context);
  const isRepositoryInside = (path: string): boolean => path.endsWith("/");
  const added = listed.others.filter((path) => !isRepositoryInside(path) && rule.isNewTaken(path));
  const taken = new Set(added);
  const left = listed.others.filter((path) => !taken.has(path));
  const known = listed.entries.filter(({ path }) => rule.isKnownTaken(path));
  const links = linksAmong(known);
  const { tree, held } = await writeTree(context, { rule, known, added }).catch(() => {
    // The index may name objects that are no longer there; from nothing on it names none.
    context.disk.remove(join(context.store.folder, rule.index));
    return writeTree(context, { rule, known, added });
  });
  rememberListed(context, rule, { atMs, beganUpMs, user, tree, entries: listed.entries, links, added, left, held });
  const paths = [...known.map(({ path }) => path), ...added];
  return { tree, added, left, links, head: null, paths: () => Promise.resolve(paths) };
}

/** Files that git neither knows nor ignores, and repositories inside this one, with a slash at the end. */
export async function untrackedNow(context: StoreContext): Promise<string[]> {
  return (await listFiles(context, othersWords)).others;
}

async function listFiles({ git, store }: StoreContext, words = listingWords): Promise<ListedFiles> {
  const { gitDir, top } = store.start.repository;
  const env = { ...store.env, GIT_INDEX_FILE: join(gitDir, "index") };
  return readListing(expectDone("git ls-files", await git(words, { env, directory: top })).stdout);
}

type Content = { rule: StageRule; known: readonly IndexEntry[]; added: readonly string[] };
type WrittenTree = { tree: string; held: ReadonlySet<string> };
type Call = (words: readonly string[], stdin?: string) => Promise<ToolEnd>;

async function writeTree(context: StoreContext, { rule, known, added }: Content): Promise<WrittenTree> {
  const { git, store, disk } = context;
  const index = join(store.folder, rule.index);
  const env = { ...store.env, GIT_INDEX_FILE: index };
  const directory = store.start.repository.top;
  const call: Call = async (words, stdin) =>
    expectDone(`git ${words[0] ?? ""}`, await git(words, { env, directory, stdin: stdin ?? null }));
  // While a merge is not resolved a path stands there up to three times.
  const entries = [...new Map(known.map((entry) => [entry.path, entry])).values()];
  const algorithm = objectFormatOf(store.start);
  const listOwn = async (): Promise<string[]> =>
    pathsInIndex({ path: index, algorithm }) ?? linesOf((await call(["ls-files", "-z"])).stdout);
  const former = disk.look(index) === null ? [] : await listOwn();
  const changes = memberChanges({ former, entries, added, emptyFile: emptyFileOf(store.start) });
  if (changes.length > 0) await call(infoWords, changes.map(infoLine).join(""));
  await call(["add", "--update"]);
  const hidden = { paths: new Set(store.start.hidden), isSparse: isSparseAsBefore(context) };
  const pinned = entries.filter((entry) => isHidden(context, entry, hidden));
  if (pinned.length > 0) await call(infoWords, pinned.map(infoLine).join(""));
  // In a partial clone the objects of paths that are not checked out may be missing.
  const tree = (await call(["write-tree", "--missing-ok"])).stdout.trim();
  return { tree, held: new Set(await listOwn()) };
}

const infoWords = ["update-index", "-z", "--index-info"];

type Member = Pick<IndexEntry, "facts" | "path">;

function infoLine({ facts, path }: Member): string {
  return `${facts} 0\t${path}\0`;
}

type Members = {
  former: readonly string[];
  entries: readonly IndexEntry[];
  added: readonly string[];
  emptyFile: string;
};

/**
 * What lets our index hold the same paths as the user's, and those that are new. What they hold is read from the files
 * afterwards, so that a new one may begin as an empty file.
 */
function memberChanges({ former, entries, added, emptyFile }: Members): Member[] {
  const members = [
    ...withoutReplaced(entries, added),
    ...added.map((path) => ({ facts: `100644 ${emptyFile}`, path })),
  ];
  const [had, has] = [new Set(former), new Set(members.map(({ path }) => path))];
  const gone = former.filter((path) => !has.has(path));
  const none = `0 ${"0".repeat(emptyFile.length)}`;
  return [...gone.map((path) => ({ facts: none, path })), ...members.filter(({ path }) => !had.has(path))];
}

/** A path that the index knows is gone where a new file stands above it, or below it: an index cannot hold both. */
function withoutReplaced(entries: readonly IndexEntry[], added: readonly string[]): readonly IndexEntry[] {
  if (added.length === 0) return entries;
  const files = new Set(added);
  const folders = new Set(added.flatMap(foldersOf));
  return entries.filter(({ path }) => !folders.has(path) && !foldersOf(path).some((folder) => files.has(folder)));
}

function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) folders.push(path.slice(0, end));
  return folders;
}

type Hidden = { paths: ReadonlySet<string>; isSparse: boolean };

/** Paths that the user hid before the first turn, and those the user's sparse checkout left out, stay as the index has them. */
function isHidden({ disk, store }: StoreContext, { tag, path }: IndexEntry, hidden: Hidden): boolean {
  if (tag === "H" || tag === "M") return false;
  if (hidden.paths.has(path)) return true;
  const isLeftOut = hidden.isSparse && tag.toUpperCase() === "S";
  return isLeftOut && disk.look(join(store.start.repository.top, path)) === null;
}

/** A sparse checkout that somebody set up or changed since the first turn hides nothing. */
function isSparseAsBefore({ disk, store }: StoreContext): boolean {
  const { sparse, repository } = store.start;
  return sparse === undefined || (sparse !== null && sparse === sparsePatterns(disk, repository));
}

function expectDone(what: string, end: ToolEnd): ToolEnd {
  if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure(what, end));
  return end;
}
