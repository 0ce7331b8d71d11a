import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { createGit, type Git, projectFolders } from "../../shell/git/git.ts";
import { trustedPath } from "../../shell/git/git-environment.ts";
import { findRepository, type Repository } from "../../shell/git/repository.ts";
import { makePassingFolder } from "../../shell/lib/passing-folder.ts";
import { removeTree } from "../../shell/lib/remove-tree.ts";
import type { Machine } from "../../shell/machine.ts";
import { ownEnvironment } from "../../shell/wire-store.ts";
import { wire } from "../../shell/wire.ts";

/** Where a verification happens. Its state is its own and gone afterwards: no run is stored, and none is disturbed. */
export type VerificationScratch = {
  /** Names it in the environment of what it starts: two verifications at the same time must not end each other's processes. */
  id: string;
  machine: Machine;
  /** The user's repository; `git` reads it and writes nothing there. */
  repository: Repository;
  git: Git;
  folder: string;
};

/** Opens a place for one verification of a project, and removes all of it afterwards. */
export async function inVerificationScratch<End>(
  projectDir: string,
  use: (place: VerificationScratch) => Promise<End>,
): Promise<End> {
  const folder = makePassingFolder("verify");
  let machine: Machine | null = null;
  try {
    const env = ownEnvironment();
    machine = await wire({ folder: join(folder, "state"), env });
    const repository = findRepository(machine.disk, resolve(projectDir));
    if (repository === null)
      throw new RalphError("scm", `${projectDir} is not in a git repository.`, "Verify a project that is in one.");
    // Whoever made the candidate can put programs into the project.
    const path = trustedPath(env["PATH"] ?? "", projectFolders(projectDir, repository));
    const own = { ...machine, env: { ...env, PATH: path } };
    const id = `verification-${randomUUID()}`;
    const context = { ...own, runId: id, frozen: { projectDir } };
    const git = createGit(context, { turnMarker: `${id}.look`, repository });
    return await use({ id, machine: own, repository, git, folder });
  } finally {
    await machine?.store.close();
    removeTree(folder);
  }
}
