import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { onTestFinished } from "vitest";
import { createProtections, type ProtectRules } from "../../src/core/verification/protect/protection.ts";
import { candidateTree } from "../../src/shell/git/trees/candidate.ts";
import type { RunGit } from "../../src/shell/git/run-git.ts";
import type { CopyHistory } from "../../src/shell/seal/copy/copy-repository.ts";
import { openSealedCopy, type SealedCopy, type SealedCopyOptions } from "../../src/shell/seal/copy/sealed-copy.ts";
import { sealBase } from "../../src/shell/seal/copy/seal-base.ts";
import { importObjects, openSealStore, type SealStore } from "../../src/shell/seal/copy/seal-store.ts";
import { type WrittenTree, writeSealedTree } from "../../src/shell/seal/copy/tree-files.ts";
import { openRepository, type ScratchRepository } from "../git/scratch-repository.ts";

/** Rules without anything of the settings. */
export const noRules: ProtectRules = { protect: [], allow: [], writable: [], named: [] };

/** A project whose base is sealed, and what an agent may then do to it. */
export type SealScene = {
  repository: ScratchRepository;
  run: RunGit;
  store: SealStore;
  base: string;
  history: CopyHistory;
  /** The tree that would be delivered now, in the seal's store. */
  candidate(): Promise<string>;
  sealed(rules?: Partial<ProtectRules>, variant?: "A" | "B"): Promise<WrittenTree>;
  copy(options?: Partial<SealedCopyOptions>): SealedCopy;
};

/** Commits `files` and seals the tree. */
export async function sealScene(files: Readonly<Record<string, string>>): Promise<SealScene> {
  const repository = openRepository();
  for (const [name, text] of Object.entries(files)) repository.write(name, text);
  repository.git("add", "-A");
  if (repository.git("status", "--porcelain") !== "") repository.git("commit", "-q", "-m", "files");
  const run = await repository.open();
  const rule = { stage: "run" as const, untrackedAtStart: run.store.start.untracked };
  const { tree: base } = await candidateTree(run, rule);
  const folder = join(repository.root, "state/seals/run/repo.git");
  const store = await openSealStore({ disk: run.disk, git: run.git, folder, own: run.store });
  const history = await sealBase(store, run, base);
  const candidate = async (): Promise<string> => {
    const { tree } = await candidateTree(run, rule);
    await importObjects(store, run, { wanted: [tree], known: [base] });
    return tree;
  };
  return {
    repository,
    run,
    store,
    base,
    history,
    candidate,
    sealed: async (rules = {}, variant = "A") => {
      const protections = createProtections({ ...noRules, ...rules });
      return writeSealedTree(store, { base, candidate: await candidate(), protections, variant });
    },
    copy: (options = {}) => {
      const name = basename(repository.project);
      const parent = repository.root;
      const copy = openSealedCopy({ store, name, history, include: new Map(), dependencies: [], parent, ...options });
      onTestFinished(() => copy.remove());
      return copy;
    },
  };
}

/** The text of a file of a copy; null when nothing is there. */
export function textIn(copy: SealedCopy, name: string): string | null {
  const path = join(copy.folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/** What git prints inside of a copy, asked as a suite would. */
export function gitIn(copy: SealedCopy, ...words: string[]): string {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: copy.home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  return execFileSync("git", ["-C", copy.folder, ...words], { env, encoding: "utf8" }).trim();
}
