import { join } from "node:path";
import { isCommitOfRun } from "../../../core/policies/candidate.ts";
import { readLinkState } from "../inner-repositories.ts";
import type { StoreContext } from "../run-git.ts";
import { absentMode, moduleMode, type TreeChange } from "./changes-since.ts";
import { convertedFiles } from "./converted-files.ts";
import { hiddenFiles } from "./hidden-files.ts";
import type { StagedTree } from "./stage-tree.ts";
import { foldersAbove, strangeLinks } from "./strange-links.ts";

/** A candidate, and how the repository stood when the run began. */
export type GapOptions = {
  candidate: StagedTree;
  /** What the candidate changes of the commit that the run began with. */
  changes: readonly TreeChange[];
  /** Null when nobody knows. */
  untrackedAtStart: readonly string[] | null;
};

/**
 * What a checkout of the candidate gives otherwise than the checks saw it, each with what to do about it. What was so
 * before the run is the user's own affair. Rejects when git cannot tell.
 */
export async function checkoutGaps(context: StoreContext, options: GapOptions): Promise<string[]> {
  const linked = newCommits(context, options).map(
    ({ path, object }) =>
      `${path} (only a link to commit ${object.slice(0, 12)} of another repository, which the run brought: let a person commit it, or remove its .git and add its files)`,
  );
  const converted = (await convertedFiles(context, options)).map(
    (path) =>
      `${path} (a checkout writes other bytes by an attribute of git, such as line ends: write them so, or change the attribute)`,
  );
  const nameless = namelessFiles(context, options.candidate.added).map(
    (path) => `${path} (its name is not UTF-8, so that ralph cannot deliver it: rename it)`,
  );
  return [...(await strangeLinks(context, options)), ...linked, ...converted, ...nameless];
}

/** New files whose names are not UTF-8: what was read of them names no file. */
export function namelessFiles({ disk, store }: StoreContext, paths: readonly string[]): string[] {
  const { top } = store.start.repository;
  return paths.filter((path) => path.includes("\uFFFD") && disk.look(join(top, path)) === null);
}

/**
 * What people who commit the work themselves would not get, each with what to do about it: the candidate has it, and the rules that hide
 * it are no part of the work. Rejects when git cannot tell.
 */
export async function handoverGaps(context: StoreContext, { changes }: GapOptions): Promise<string[]> {
  const hidden = await hiddenFiles(context, changes);
  return hidden.map(
    (path) => `${path} (ignored by a rule outside of the tree, such as .git/info/exclude: remove the rule)`,
  );
}

/**
 * What the run left in the work tree that no commit takes, each with what to do about it: checks saw it, and nobody who
 * gets the commit has it. What was so before the run is the user's own affair. Rejects when git cannot tell.
 */
export async function commitGaps(context: StoreContext, options: GapOptions): Promise<string[]> {
  const inside = innerRepositories(options).map((path) => `${path} (a repository of its own: remove its .git)`);
  const changed = (await changedLinks(context, options)).map(
    (path) => `${path} (changes in a repository of its own: undo them, or let a person commit them)`,
  );
  const forgotten = forgottenFiles(context, options).map(
    (path) => `${path} (no longer tracked, but still there: remove it, or track it)`,
  );
  return [...inside, ...changed, ...forgotten];
}

function innerRepositories({ candidate, untrackedAtStart }: GapOptions): string[] {
  if (untrackedAtStart === null) return [];
  const former = new Set(untrackedAtStart);
  return candidate.left.filter((path) => path.endsWith("/") && !former.has(path));
}

/** Commits of other repositories that nobody had linked or checked out before the first turn. */
function newCommits({ store }: StoreContext, { changes }: GapOptions): TreeChange[] {
  const { linkCommits = {} } = store.start;
  return changes.filter(({ path, mode, object, formerObject }) => {
    const commitsAtStart = [formerObject, ...(linkCommits[path] ?? [])];
    return mode === moduleMode && isCommitOfRun({ commit: object, commitsAtStart });
  });
}

/** Submodules that are not as their links say, by other changes than those they had at the start. */
async function changedLinks(context: StoreContext, options: GapOptions): Promise<string[]> {
  const { disk, git, store } = context;
  const { links: former, repository } = store.start;
  if (former === undefined) return [];
  const named = new Set(newCommits(context, options).map(({ path }) => path));
  const changed: string[] = [];
  for (const link of options.candidate.links.filter(({ path }) => !named.has(path))) {
    const state = await readLinkState(disk, git, repository.top, link);
    if (state !== null && state.changes !== former[link.path]) changed.push(link.path);
  }
  return changed;
}

/** Files of the commit that the run began with: the candidate has them no more, the work tree still does. */
function forgottenFiles({ disk, store }: StoreContext, { candidate, changes }: GapOptions): string[] {
  const removed = changes.filter(({ mode }) => mode === absentMode).map(({ path }) => path);
  const { top } = store.start.repository;
  const links = new Set(candidate.links.map(({ path }) => path));
  return removed.filter((path) => {
    // What is found there belongs to a link's target or to a submodule.
    if (foldersAbove(path).some((folder) => links.has(folder) || disk.look(join(top, folder))?.kind !== "folder"))
      return false;
    const entry = disk.look(join(top, path));
    return entry !== null && entry.kind !== "folder";
  });
}
