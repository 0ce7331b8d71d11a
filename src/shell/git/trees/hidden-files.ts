import type { StoreContext } from "../run-git.ts";
import { absentMode, type TreeChange } from "./changes-since.ts";

/**
 * New files of a candidate that the repository's own git ignores now, by rules that no tree has: `.git/info/exclude`, or a file that its
 * configuration names. Whoever commits the work by hand would not get them. Empty where git cannot tell: the candidate has them.
 */
export async function hiddenFiles({ git, store }: StoreContext, changes: readonly TreeChange[]): Promise<string[]> {
  const added = changes.filter(({ mode, formerMode }) => formerMode === absentMode && mode !== absentMode);
  if (added.length === 0) return [];
  const stdin = added.map(({ path }) => `${path}\0`).join("");
  const words = ["check-ignore", "--verbose", "-z", "--stdin"];
  const end = await git(words, { directory: store.start.repository.top, stdin });
  if (end.exitCode !== 0 || !end.isWhole) return [];
  const fields = end.stdout.split("\0");
  const found: string[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [source = "", , pattern = "", path = ""] = fields.slice(at, at + 4);
    // A tracked file of rules is a part of the work, and people see what it takes out.
    if (!isTracked(source) && !pattern.startsWith("!")) found.push(path);
  }
  return found;
}

function isTracked(source: string): boolean {
  return /(?:^|\/)\.gitignore$/.test(source) && !source.startsWith("/") && !source.startsWith(".git/");
}
