import { dirname, join, resolve } from "node:path";
import { type IgnoredPath, isMadeByTools } from "../../../core/policies/ignored-files.ts";
import { lstatIfThere } from "../../lib/stat-if-there.ts";
import { linesOf } from "../listed-files.ts";
import type { StoreContext } from "../run-git.ts";
import { describeFailure } from "../run-tool.ts";
import { absentMode, type TreeChange } from "./changes-since.ts";
import type { StagedTree } from "./stage-tree.ts";

/** A path that git ignores, with the file that says so. */
export type IgnoredSince = IgnoredPath & { source: string };

/**
 * Files, and folders with a slash at the end, that git ignores by rules which are not those from before the first turn, as
 * far as `isRuleFormer` is false. Nothing where nobody knows how it was then. Rejects when git cannot tell.
 */
export async function ignoredSince(
  context: StoreContext,
  { candidate, changes }: { candidate: StagedTree; changes: readonly TreeChange[] },
): Promise<IgnoredSince[]> {
  const { takenAt, repository } = context.store.start;
  if (takenAt === undefined) return [];
  const words = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  const own = [`${repository.prefix}.ralph/`, `${repository.prefix}.ralph-active`];
  const ignored = linesOf(await ask(context, words)).filter((path) => !own.includes(path));
  const rules = changes.filter(({ path, mode }) => isRuleFile(path) && mode !== absentMode);
  if (ignored.length === 0) return [];
  const stdin = ignored.map((path) => `${path}\0`).join("");
  const fields = (await ask(context, ["check-ignore", "--verbose", "-z", "--stdin"], stdin)).split("\0");
  const former = await formerRules(context, rules);
  const delivered = new Set(await candidate.paths());
  const isSinceStart = (source: string): boolean =>
    (lstatIfThere(resolve(repository.top, source))?.ctimeMs ?? 0) > takenAt;
  const found: IgnoredSince[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = "", , pattern = "", path = ""] = fields.slice(at, at + 4);
    const isRuleDelivered = delivered.has(source);
    const isOwn = resolve(repository.top, source).startsWith(`${context.store.folder}/`);
    const isFormer = isRuleDelivered ? former.get(source)?.includes(pattern) !== false : !isSinceStart(source);
    const isOfTool = isMadeByTools(path) || isCache(context, dirname(source));
    found.push({ path, source, isRuleDelivered, isRuleFormer: isOwn || isFormer, isOfTool });
  }
  return withoutInner(found);
}

function isRuleFile(path: string): boolean {
  return /(?:^|\/)\.gitignore$/.test(path);
}

/** The lines of rule files that the candidate changes, as the run began with them. */
async function formerRules(
  context: StoreContext,
  rules: readonly TreeChange[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const former = new Map<string, string[]>();
  for (const { path, formerMode, formerObject } of rules) {
    const text = formerMode === absentMode ? "" : await ask(context, ["cat-file", "blob", formerObject]);
    former.set(path, text.split("\n"));
  }
  return former;
}

/** Caches carry a tag by which backups leave them out, and virtual environments of Python a file of settings. */
function isCache({ disk, store }: StoreContext, folder: string): boolean {
  const isThere = (name: string): boolean => disk.look(join(store.start.repository.top, folder, name))?.kind === "file";
  return folder !== "." && (isThere("CACHEDIR.TAG") || isThere("pyvenv.cfg"));
}

/** A folder stands for everything in it. */
function withoutInner(found: readonly IgnoredSince[]): IgnoredSince[] {
  const folders = found.map(({ path }) => path).filter((path) => path.endsWith("/"));
  return found.filter(({ path }) => !folders.some((folder) => path !== folder && path.startsWith(folder)));
}

async function ask(
  { git, store }: StoreContext,
  words: readonly string[],
  stdin: string | null = null,
): Promise<string> {
  const env = { ...store.env, GIT_INDEX_FILE: join(store.folder, "candidate") };
  const end = await git(words, { env, directory: store.start.repository.top, stdin });
  // Git says with 1 that no path is ignored.
  const isDone = end.exitCode === 0 || (words[0] === "check-ignore" && end.exitCode === 1);
  if (!isDone || !end.isWhole) throw new Error(describeFailure(`git ${words[0] ?? ""}`, end));
  return end.stdout;
}
