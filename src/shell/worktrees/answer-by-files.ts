import { branchByFiles, commitByFiles, headByFiles } from "../git/head-by-files.ts";
import type { Repository } from "../git/repository.ts";
import type { ToolEnd } from "../git/run-tool.ts";
import type { SharedFiles } from "../ports.ts";

/**
 * What git answers to a question about HEAD or a branch, by the files of the repository: around each merge there are dozens of them,
 * and each would be a process. Null: ask git.
 */
export function answerByFiles(disk: SharedFiles, repository: Repository, words: readonly string[]): ToolEnd | null {
  const answer = answerTo(words.join(" "), disk, repository);
  if (answer === null) return null;
  return { exitCode: 0, output: answer, stdout: answer, isWhole: true, isFound: true, isTimedOut: false };
}

function answerTo(question: string, disk: SharedFiles, repository: Repository): string | null {
  if (question === "symbolic-ref --quiet --short HEAD")
    return branchByFiles(disk, repository)?.slice("refs/heads/".length) ?? null;
  if (question === "rev-parse --verify --quiet HEAD") return headByFiles(disk, repository);
  const branch = /^rev-parse --verify --quiet (refs\/heads\/\S+)$/.exec(question)?.[1];
  return branch === undefined ? null : commitByFiles(disk, repository, branch);
}
