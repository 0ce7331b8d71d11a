import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { leadsToCandidate, type LinkedTree } from "../../../core/policies/candidate-links.ts";
import type { StoreContext } from "../run-git.ts";
import { absentMode, linkMode, type TreeChange } from "./changes-since.ts";
import type { StagedTree } from "./stage-tree.ts";

/**
 * Links that the run made or changed and that lead to what no checkout of the candidate has, and files of the start
 * commit that the checks still find by such a way, each with what to do about it.
 */
export async function strangeLinks(
  context: StoreContext,
  { candidate, changes }: { candidate: StagedTree; changes: readonly TreeChange[] },
): Promise<string[]> {
  const links = changes.filter(({ mode }) => mode === linkMode).map(({ path }) => path);
  const removed = changes.filter(({ mode }) => mode === absentMode).map(({ path }) => path);
  if (links.length === 0 && removed.length === 0) return [];
  const tree = linkedTree(context, candidate, await candidate.paths());
  const strange = links.filter((path) => !leadsToCandidate(tree, path));
  const isBelow = (path: string): boolean => strange.some((link) => path.startsWith(`${link}/`));
  const byLink = removed.filter((path) => isLinked(tree, path) && !isBelow(path) && !leadsToCandidate(tree, path));
  return [
    ...strange.map(
      (path) =>
        `${path} (a link to ${tree.linkAt(path) ?? ""}, which is not part of the commit: put the content in its place)`,
    ),
    ...byLink.map((path) => `${path} (by a link, to a file that is not part of the commit: put the file in its place)`),
  ];
}

/** Whether a path lies behind a link. What is still there without one is another gap. */
function isLinked(tree: LinkedTree, path: string): boolean {
  return foldersAbove(path).some((folder) => tree.linkAt(folder) !== null);
}

/** The folders above a path, from the top of the repository. */
export function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

function linkedTree({ disk, store }: StoreContext, candidate: StagedTree, paths: readonly string[]): LinkedTree {
  const { top } = store.start.repository;
  const members = new Set(paths);
  const modules = candidate.links.map(({ path }) => `${path}/`);
  const isThere = (path: string): boolean => kindAt(path) !== null;
  const kindAt = (path: string): "file" | "folder" | "other" | null => disk.look(join(top, path))?.kind ?? null;
  const hasMember = (folder: string): boolean => paths.some((path) => path.startsWith(`${folder}/`) && isThere(path));
  return {
    isThere,
    linkAt: (path) => (kindAt(path) === "other" ? readLink(join(top, path)) : null),
    holds: (path) =>
      (members.has(path) && isThere(path)) || modules.some((module) => path.startsWith(module)) || hasMember(path),
  };
}

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    // A pipe, a socket or a device.
    return null;
  }
}
