import { join } from "node:path";
import { isRepositoryReplaced, newParts } from "../../core/policies/candidate.ts";
import type { SharedFiles } from "../ports.ts";
import type { RepositoryStart } from "./own-store.ts";
import { partsElsewhere } from "./parts-elsewhere.ts";
import { findRepository } from "./repository.ts";

/**
 * Why a commit in a directory would not be kept in the repository that the run began in; null when it would. Where a
 * repository lies counts, and what its parts lead to, not which folder it is: that changes when a disk is mounted again.
 */
export function whyReplaced(disk: SharedFiles, start: RepositoryStart, directory: string): string | null {
  const { repository } = start;
  const now = findRepository(disk, directory);
  if (now === null || isRepositoryReplaced(repository, now)) {
    const isByFile = now?.gitDir === repository.gitDir && now.commonDir !== repository.commonDir;
    const what = isByFile ? join(now.gitDir, "commondir") : join(now?.top ?? repository.top, ".git");
    return `${what} is no longer the repository that the run began in.`;
  }
  const [part] = newParts(start.partsElsewhere, partsElsewhere(disk, now));
  return part === undefined ? null : `${part} leads out of the repository that the run began in.`;
}
