import type { Git } from "../../git/git.ts";
import { commitPaths } from "./commit-paths.ts";
import { workFiles } from "./ralph-folder.ts";

/**
 * Sees to it that git has the files of a task list before the first turn: with delivery they are committed, without it a
 * sentence says how. Null: git has them, ignores them, or there is no repository.
 */
export async function settleListFiles(
  git: Git,
  { folder, hasDelivery }: { folder: string; hasDelivery: boolean },
): Promise<string | null> {
  const names = workFiles.map((file) => (folder === "." ? file : `${folder}/${file}`));
  const loose: string[] = [];
  for (const name of names) {
    const words = ["status", "--porcelain", "--untracked-files=all", "--", `:(literal)${name}`];
    const { exitCode, stdout } = await git(words);
    if (exitCode === 0 && stdout.trim() !== "") loose.push(name);
  }
  if (loose.length === 0) return null;
  const which = `${loose.join(", ")} ${loose.length === 1 ? "is" : "are"} not committed`;
  const advice = commitAdvice(loose);
  if (!hasDelivery) return `${which}. ${advice}`;
  const commit = await commitPaths(git, loose, "chore: task list of ralph");
  if (commit === "made") return `Committed ${loose.join(", ")}.`;
  return commit === "no-repository" ? null : `${which}: ${commit.problem}. ${advice}`;
}

/** The command that commits files of a list. */
export function commitAdvice(paths: readonly string[]): string {
  return `Commit them, so that every turn starts from them: git add ${paths.join(" ")} && git commit -m "task list"`;
}
