import { randomUUID } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import type { Disk } from "../ports.ts";
import type { Tool } from "../git/run-tool.ts";
import { workFiles } from "./ralph-folder.ts";

/**
 * How a project's files stood at a moment. In git `tree` holds all of them but ignored ones and ralph's own, whether
 * committed or not; elsewhere `files` tells size and time of each.
 */
export type TreeLook = {
  /** Null outside git, and before the first commit. */
  head: string | null;
  /** Null outside git, or when git could not take every file. */
  tree: string | null;
  files: Record<string, string> | null;
  /** Paths that differ from HEAD; none outside git. */
  dirty: string[];
};

/** Where the files are: the project, and the folder of its task list, whose edits are no code. */
export type TreePlace = { tool: Tool; disk: Pick<Disk, "remove">; projectDir: string; ralphName: string };

/** Git without the hooks and signatures of a project whose files an agent can write. */
export const quietGit = ["git", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false"] as const;

/** Looks at the project. Neither the user's index nor any file is changed. */
export async function lookAtTree(place: TreePlace): Promise<TreeLook> {
  const { tool, disk, projectDir, ralphName } = place;
  const inside = await tool([...quietGit, "rev-parse", "--is-inside-work-tree"]);
  if (inside.exitCode !== 0)
    return { head: null, tree: null, files: await fileTimes(projectDir, ralphName), dirty: [] };
  const index = join(tmpdir(), `ralph-index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    const head = await tool([...quietGit, "rev-parse", "--verify", "--quiet", "HEAD"]);
    // From HEAD on, so that a tracked file counts although a pattern ignores it.
    if (head.exitCode === 0) await tool([...quietGit, "read-tree", "HEAD"], env);
    const added = await tool([...quietGit, "add", "--all", "--", ":/"], env);
    // Excluded while adding, an ignored file would be an error.
    const own = ["rm", "--cached", "--quiet", "--force", "-r", "--ignore-unmatch", "--", ...ownPaths];
    const trimmed = added.exitCode === 0 ? await tool([...quietGit, ...own], env) : added;
    const tree = trimmed.exitCode === 0 ? await tool([...quietGit, "write-tree"], env) : trimmed;
    const look = {
      head: head.exitCode === 0 ? head.stdout.trim() : null,
      tree: tree.exitCode === 0 ? tree.stdout.trim() : null,
      files: null,
    };
    const differing =
      look.head === null || look.tree === null ? [] : await treeChanges(tool, [look.head, look.tree], everything);
    return { ...look, dirty: differing.map(({ path }) => path) };
  } finally {
    disk.remove(index);
    disk.remove(`${index}.lock`);
  }
}

/** One path that differs between two trees; paths count from the top of the repository. */
export type TreeChange = { kind: "added" | "changed" | "deleted"; path: string };

/** What differs between two trees or commits. */
export async function treeChanges(
  tool: Tool,
  [from, to]: readonly [string, string],
  paths: readonly string[],
): Promise<TreeChange[]> {
  const words = ["diff-tree", "-r", "-z", "--no-renames", "--name-status", from, to, "--", ...paths];
  const end = await tool([...quietGit, ...words]);
  if (end.exitCode !== 0) throw new Error(`git diff-tree exited with code ${end.exitCode}: ${end.output.trim()}`);
  const fields = end.stdout.split("\0");
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    changes.push({ kind: changeKinds.get(fields[at] ?? "") ?? "changed", path: fields[at + 1] ?? "" });
  }
  return changes;
}

/** Git's letters; every other one is a change, of content or of kind. */
const changeKinds = new Map([
  ["A", "added" as const],
  ["D", "deleted" as const],
]);

/** What ralph itself writes beside the work. */
const ownPaths = [".ralph", ".ralph-active"];

/** Everything of the repository but that. */
const everything = [":/", ...ownPaths.map((path) => `:(exclude)${path}`)];

/**
 * Code and tests, as a review must leave them: neither the files of the task list nor the lasting notes that every
 * iteration may add to (S4-96).
 */
export function codePaths(ralphName: string): string[] {
  const notes = ["AGENTS.md", "CLAUDE.md", ".claude/rules/**"].map((name) => `:(exclude,top,glob)**/${name}`);
  return [...everything, ...listPaths(ralphName).map((path) => `:(exclude,literal)${path}`), ...notes];
}

/** The folder of the list; where that is the project itself, its files alone. */
function listPaths(ralphName: string): readonly string[] {
  return ralphName === "." ? workFiles : [ralphName];
}

/** Files that a turn changed or removed, outside git; new ones are the traces that every check leaves. */
export function fileChanges(before: Record<string, string>, after: Record<string, string>): string[] {
  return Object.keys(before).filter((path) => after[path] !== before[path]);
}

/** Files looked at outside git; a larger tree is compared by its first so many. */
const filesMax = 20_000;

async function fileTimes(projectDir: string, ralphName: string): Promise<Record<string, string>> {
  const entries = await readdir(projectDir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(projectDir, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !isUnder(path, [...ownPaths, ...listPaths(ralphName)]) && !path.includes("node_modules/"))
    .toSorted()
    .slice(0, filesMax);
  const facts = await Promise.all(paths.map((path) => stat(join(projectDir, path)).catch(() => null)));
  return Object.fromEntries(paths.map((path, at) => [path, `${facts[at]?.size} ${facts[at]?.mtimeMs}`]));
}

function isUnder(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
