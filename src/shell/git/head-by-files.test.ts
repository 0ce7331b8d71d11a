import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepository, type ScratchRepository } from "../../../tests/git/scratch-repository.ts";
import { headByFiles } from "./head-by-files.ts";
import { findRepository } from "./repository.ts";

function headOf(scene: ScratchRepository, directory = scene.project): string | null {
  const repository = findRepository(scene.place.disk, directory);
  return repository === null ? null : headByFiles(scene.place.disk, repository);
}

describe("the commit of HEAD by files alone", () => {
  it("is what git says: on a branch, packed, packed and moved on, detached, in a linked work tree", () => {
    const scene = openRepository();
    const check = (directory?: string): void =>
      expect(headOf(scene, directory)).toBe(scene.git("-C", directory ?? scene.project, "rev-parse", "HEAD"));
    check();
    scene.git("pack-refs", "--all");
    check();
    scene.git("commit", "-q", "--allow-empty", "-m", "next");
    check();
    const linked = join(scene.root, "linked");
    scene.git("worktree", "add", "-q", "-b", "topic/one", linked);
    scene.git("-C", linked, "commit", "-q", "--allow-empty", "-m", "there");
    check(linked);
    scene.git("checkout", "-q", "--detach");
    check();
  });

  it("is left to git where a reference leads elsewhere, or is not there", () => {
    const scene = openRepository();
    const check = (): void => expect(headOf(scene)).toBeNull();
    scene.git("pack-refs", "--all");
    scene.git("branch", "other");
    symlinkSync("other", join(scene.project, ".git/refs/heads/main"));
    check();
    rmSync(join(scene.project, ".git/refs/heads/main"));
    scene.write(".git/refs/heads/main", "ref: refs/heads/other\n");
    check();
    scene.write(".git/HEAD", "ref: refs/heads/../heads/other\n");
    check();
    scene.write(".git/HEAD", "ref: refs/heads/none\n");
    check();
  });
});
