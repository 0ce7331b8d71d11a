import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inEveryShape } from "../../../tests/git/reference-scenes.ts";
import { openRepository, type ScratchRepository } from "../../../tests/git/scratch-repository.ts";
import { branchByFiles, commitByFiles, headByFiles } from "./head-by-files.ts";
import { findRepository } from "./repository.ts";

function headOf(scene: ScratchRepository, directory = scene.project): string | null {
  const repository = findRepository(scene.place.disk, directory);
  return repository === null ? null : headByFiles(scene.place.disk, repository);
}

describe("the commit of HEAD by files alone", () => {
  it("is what git says: on a branch, packed, packed and moved on, detached, in a linked work tree", () => {
    const scene = openRepository();
    const check = (directory: string): void =>
      expect(headOf(scene, directory)).toBe(scene.git("-C", directory, "rev-parse", "HEAD"));
    inEveryShape(scene, check);
    scene.git("checkout", "-q", "--detach");
    check(scene.project);
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

  it("is left to git beside another kind of reference store, whose files may be stale", () => {
    const scene = openRepository();
    expect(headOf(scene)).not.toBeNull();
    scene.write(".git/reftable/tables.list", "");
    expect(headOf(scene)).toBeNull();
    const repository = findRepository(scene.place.disk, scene.project);
    expect(repository && commitByFiles(scene.place.disk, repository, "refs/heads/main")).toBeNull();
    expect(repository && branchByFiles(scene.place.disk, repository)).toBeNull();
  });
});
