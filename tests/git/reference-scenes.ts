import { join } from "node:path";
import type { ScratchRepository } from "./scratch-repository.ts";

/** Looks at a repository while its branches are loose, packed, and packed and moved on, and then in a linked work tree. */
export function inEveryShape(scene: ScratchRepository, look: (directory: string) => void): void {
  look(scene.project);
  scene.git("pack-refs", "--all");
  look(scene.project);
  scene.git("commit", "-q", "--allow-empty", "-m", "next");
  look(scene.project);
  const linked = join(scene.root, "linked");
  scene.git("worktree", "add", "-q", "-b", "topic/one", linked);
  scene.git("-C", linked, "commit", "-q", "--allow-empty", "-m", "there");
  look(linked);
}
