import { createGit } from "../git/git.ts";
import { runStoreFolder } from "../git/run-git.ts";
import { guardedGit } from "../git/guarded-git.ts";
import { withIndexNote } from "../git/index-lock.ts";
import { findRepository } from "../git/repository.ts";
import type { ToolEnd } from "../git/run-tool.ts";
import type { LookMachine } from "../git/trees/tree-fingerprint.ts";
import { answerByFiles } from "./answer-by-files.ts";

/** Calls git in a directory, by argv and without a terminal. */
export type WorkGit = (directory: string, ...words: string[]) => Promise<ToolEnd>;

/**
 * Git for what happens around runs; `runId` marks its processes. Programs that an agent wrote into the repository's
 * configuration since the work began have no effect. Nothing cuts a call short: half a merge is worse than a second more.
 */
export function createWorkGit(machine: LookMachine & { killGraceMs: number }, runId: string): WorkGit {
  const { processes, env, killGraceMs, disk, folder } = machine;
  let calls = 0;
  return async (projectDir, ...words) => {
    const repository = findRepository(disk, projectDir);
    const answer = repository === null ? null : answerByFiles(disk, repository, words);
    if (answer !== null) return answer;
    calls += 1;
    const place = { processes, env, killGraceMs, disk, runId, frozen: { projectDir } };
    const git = createGit(place, { turnMarker: `${runId}.git/${calls}` });
    if (folder === undefined || repository === null || !writing.has(words[0] ?? "")) return git(words);
    const guarded = await guardedGit(git, { ...place, folder });
    const lockPlace = { disk, folder: runStoreFolder(folder, runId), repository };
    return withIndexNote(lockPlace, () => guarded(words));
  };
}

/** Commands that take files into the repository or bring them out of it. */
const writing = new Set(["add", "commit", "merge", "read-tree", "reset", "revert", "worktree", "hash-object", "diff"]);
