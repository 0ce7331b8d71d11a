import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { lstatIfThere } from "../../lib/stat-if-there.ts";
import { headByFiles } from "../head-by-files.ts";
import { type FileMark, forgetUnsure, markFile } from "../index-file.ts";
import type { Link } from "../inner-repositories.ts";
import { type IndexEntry, linesOf } from "../listed-files.ts";
import { objectFormatOf } from "../own-store.ts";
import type { StoreContext } from "../run-git.ts";
import { describeFailure, type ToolEnd } from "../run-tool.ts";
import type { StagedTree, StageRule } from "./stage-tree.ts";

/**
 * The fast way to the tree of a work tree: one `git status` on our own index says what changed since the last look of
 * this process, and only that is hashed. The slow way of `stageTree` lists the user's index and our own, and reads both
 * lists: that costs more than the look itself in a repository of many files. The fast way is taken only while nothing
 * that decides about membership can have changed (the user's index, ignore rules above new files, repositories inside);
 * else it gives up, and the slow way starts from what the disk has.
 */
type Known = {
  /** When the last look began, by the clock of `performance.now`. */
  beganUpMs: number;
  /** Our own index, as the last look left it. */
  own: FileMark;
  /** The commit of HEAD that git read in the last look; null where it read none. */
  head: string | null;
  tree: string;
  /** The user's index, and the paths in it. */
  user: FileMark;
  members: string;
  links: Link[];
  added: string[];
  left: string[];
  /** Paths of the user's index that are not part of the tree. */
  leftKnown: string[];
  /** What the fast looks since the last slow one took into the tree, in their order; each slow look begins another list. */
  touched: string[];
  /** Paths of the user's index that ours has no more, because no file is there. */
  missing: string[];
  /** What decides whether the new files are ignored, or belong to a repository inside this one. */
  ignoring: ReadonlyMap<string, FileMark>;
};

/** What the looks of this process know, by the path of our own index. */
const knownLooks = new Map<string, Known>();

/** Runs of one process that are looked at by turns. */
const knownMax = 32;

/** Touched paths that are kept in one list: afterwards the next one begins. */
const touchedMax = 10_000;

/** What the last look of this process at that index found, when it began at that time or later; else null. */
export function lookSince(index: string, upMs: number): Readonly<Known> | null {
  const known = knownLooks.get(index);
  return known !== undefined && known.beganUpMs >= upMs ? known : null;
}

/** The tree, when the fast way can tell; null: take the slow way. */
export async function quickTree(context: StoreContext, rule: StageRule): Promise<StagedTree | null> {
  const beganUpMs = performance.now();
  const index = join(context.store.folder, rule.index);
  const known = knownLooks.get(index);
  if (known === undefined) return null;
  // Whatever fails below leaves nothing to go on from.
  knownLooks.delete(index);
  const atMs = Date.now();
  const head = headByFiles(context.disk, context.store.start.repository);
  const call = callerOf(context, index);
  if (head === null || !isSame(known.own, markFile(index, atMs)) || !known.added.every(rule.isNewTaken)) return null;
  const user = markFile(userIndex(context), atMs);
  if (!isSame(known.user, user) && (known.links.length > 0 || (await membersNow(context, call)) !== known.members))
    return null;
  if (![...known.ignoring].every(([path, mark]) => isSame(mark, markFile(path, atMs)))) return null;
  await pointHead(context, head);
  const found = readStatus((await call(statusWords, { GIT_OPTIONAL_LOCKS: "1" })).stdout);
  if (found === null) return null;
  const fresh = found.others.filter((path) => !path.endsWith("/") && rule.isNewTaken(path));
  const changed = [...found.changed, ...fresh];
  if (changed.some((path) => isFolder(join(context.store.start.repository.top, path)))) return null;
  // A file that came back is a member whatever the ignore rules say, and not a new one.
  if (known.missing.some((path) => isThere(context, path))) return null;
  const tree = changed.length === 0 ? known.tree : await writeChanged(call, changed);
  const gone = new Set(found.changed.filter((path) => !isThere(context, path)));
  const added = [...known.added.filter((path) => !gone.has(path)), ...fresh];
  const wasAdded = new Set(known.added);
  const missing = [...known.missing, ...[...gone].filter((path) => !wasAdded.has(path))];
  const taken = new Set(fresh);
  const left = found.others.filter((path) => !taken.has(path));
  const { members, links, leftKnown } = known;
  const touched = known.touched.length + changed.length > touchedMax ? [] : known.touched;
  for (const path of changed) touched.push(path);
  const same = { members, links, leftKnown };
  remember(context, rule, { ...same, atMs, beganUpMs, head, tree, user, added, left, touched, missing });
  const paths = async (): Promise<string[]> => linesOf((await call(["ls-files", "-z"])).stdout);
  return { tree, added, left, links, head, paths };
}

/** What the slow way found; `atMs` and `beganUpMs` are when it began, and `user` the user's index from before it. */
export type ListedLook = {
  atMs: number;
  beganUpMs: number;
  user: FileMark;
  tree: string;
  /** The user's index, all of it. */
  entries: readonly IndexEntry[];
  links: Link[];
  added: string[];
  left: string[];
  /** The paths of our own index afterwards. */
  held: ReadonlySet<string>;
};

/** Lets the next look take the fast way from what the slow one found, where the fast one can tell. */
export function rememberListed(context: StoreContext, rule: StageRule, look: ListedLook): void {
  const { entries, held, ...found } = look;
  // Hidden paths and unresolved merges need the slow way.
  const isPlain = entries.every(({ tag }) => tag === "H");
  const index = join(context.store.folder, rule.index);
  if (!isPlain) {
    forgetUnsure({ path: index, algorithm: objectFormatOf(context.store.start), sinceMs: look.atMs });
    return;
  }
  const members = digestOf(entries.map(({ path }) => `H ${path}`).join("\0"));
  const missing = entries.map(({ path }) => path).filter((path) => rule.isKnownTaken(path) && !held.has(path));
  const leftKnown = entries.map(({ path }) => path).filter((path) => !rule.isKnownTaken(path));
  remember(context, rule, { ...found, members, missing, leftKnown, head: null, touched: [] });
}

/** The user's index as it stands; to be asked before it is listed. */
export function markUserIndex(context: StoreContext, atMs: number): FileMark {
  return markFile(userIndex(context), atMs);
}

type Remembered = Omit<Known, "own" | "ignoring"> & { atMs: number };

function remember(context: StoreContext, rule: StageRule, { atMs, ...found }: Remembered): void {
  const { folder, start } = context.store;
  const index = join(folder, rule.index);
  forgetUnsure({ path: index, algorithm: objectFormatOf(start), sinceMs: atMs });
  // Ours alone, so that it is sure whatever its age.
  const own = { ...markFile(index, atMs), isSure: true };
  if (own.text === "none") return;
  const ignoring = new Map(ignoringFiles(context, found.added).map((path) => [path, markFile(path, atMs)]));
  knownLooks.set(index, { ...found, own, ignoring });
  const [oldest] = knownLooks.keys();
  if (knownLooks.size > knownMax && oldest !== undefined) knownLooks.delete(oldest);
}

/** Ignore rules that reach these files, and what makes a folder above them a repository of its own. */
function ignoringFiles({ store }: StoreContext, added: readonly string[]): string[] {
  if (added.length === 0) return [];
  const { repository, config } = store.start;
  const folders = new Set([""]);
  for (const path of added)
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) folders.add(path.slice(0, end));
  const inside = [...folders].flatMap((folder) => {
    const place = join(repository.top, folder);
    return folder === "" ? [join(place, ".gitignore")] : [join(place, ".gitignore"), join(place, ".git")];
  });
  const named = config.findLast(({ key }) => key === "core.excludesfile")?.value;
  const own = named?.replace(/^~(?=\/)/, homedir()) ?? join(homedir(), ".config/git/ignore");
  return [...inside, own];
}

function isSame(former: FileMark, now: FileMark): boolean {
  return former.isSure && former.text === now.text;
}

/** A call of git with an index of ours. Rejects when git cannot tell. */
export type Call = (
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
  stdin?: string,
) => Promise<ToolEnd>;

/** Calls of git with that index. */
export function callerOf({ git, store }: StoreContext, index: string): Call {
  const directory = store.start.repository.top;
  return async (words, env = {}, stdin) => {
    const end = await git(words, {
      env: { ...store.env, GIT_INDEX_FILE: index, ...env },
      directory,
      stdin: stdin ?? null,
    });
    if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure(`git ${words[0] ?? ""}`, end));
    return end;
  };
}

function userIndex({ store }: StoreContext): string {
  return join(store.start.repository.gitDir, "index");
}

/** A commit writes the index, but leaves the paths in it as they are: their list is short to compare. */
async function membersNow(context: StoreContext, call: Call): Promise<string> {
  const { stdout } = await call(["ls-files", "-v", "-z"], { GIT_INDEX_FILE: userIndex(context) });
  return digestOf(linesOf(stdout).join("\0"));
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Against a HEAD without a commit, `git status` would list every file as new. */
async function pointHead({ disk, store }: StoreContext, commit: string): Promise<void> {
  const path = join(store.folder, "HEAD");
  if ((await disk.readText(path)) !== `${commit}\n`) await disk.writeAtomic(path, `${commit}\n`);
}

const statusWords = [
  "status",
  "--porcelain=v1",
  "--untracked-files=all",
  "--ignore-submodules=dirty",
  "--no-renames",
  "-z",
];

type Found = { changed: string[]; others: string[] };

/** Reads `XY path`: the second letter is about the work tree. Null: something that the slow way has to look at. */
function readStatus(text: string): Found | null {
  // A name that is not UTF-8 cannot be handed back to git.
  if (text.includes("\uFFFD")) return null;
  const found: Found = { changed: [], others: [] };
  for (const line of linesOf(text)) {
    const [state, path] = [line.slice(0, 2), line.slice(3)];
    if (state === "??") found.others.push(path);
    else if ("MDT".includes(state[1] ?? "?")) found.changed.push(path);
    else if (state[1] !== " " || state[0] === "U") return null;
  }
  return found;
}

async function writeChanged(call: Call, paths: readonly string[]): Promise<string> {
  const words = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  await call(words, {}, paths.map((path) => `${path}\0`).join(""));
  return (await call(["write-tree", "--missing-ok"])).stdout.trim();
}

function isThere({ store, disk }: StoreContext, path: string): boolean {
  return disk.look(join(store.start.repository.top, path)) !== null;
}

function isFolder(path: string): boolean {
  return lstatIfThere(path)?.isDirectory() === true;
}
