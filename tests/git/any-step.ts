import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import type { ScratchRepository } from "./scratch-repository.ts";

/** Paths that meet: files in folders that may become files, links or repositories. */
export const meetingPaths = ["a.txt", "lib/b.txt", "lib/deep/c.txt", "out/d.log", "out/e.txt", "new/f.txt", "lib"];

/** A time long before the test, for the content of a file. */
export const former = new Date("2020-01-01T00:00:00Z");

/** Something that may happen to a repository between two looks. */
export type Step = { what: string; act: (scene: ScratchRepository) => void };

/**
 * Changes of files, ignore rules, the user's index and commits. Faults are known to be caught with the order of this list:
 * the same seed draws other steps from another one.
 */
export function anyStep(paths: readonly string[]): fc.Arbitrary<Step> {
  const path = fc.constantFrom(...paths);
  return fc.oneof(
    fc.tuple(path, text).map(([name, words]) => step(`write ${name} ${words}`, (scene) => scene.write(name, words))),
    fc.tuple(path, text).map(([name, words]) =>
      step(`write ${name} ${words} with a former time`, (scene) => {
        scene.write(name, words);
        utimesSync(join(scene.project, name), former, former);
      }),
    ),
    path.map((name) => step(`remove ${name}`, (scene) => rmSync(join(scene.project, name), { recursive: true }))),
    fc.tuple(path, path).map(([from, to]) =>
      step(`rename ${from} ${to}`, (scene) => {
        mkdirSync(dirname(join(scene.project, to)), { recursive: true });
        renameSync(join(scene.project, from), join(scene.project, to));
      }),
    ),
    path.map((name) => step(`make ${name} a program`, (scene) => chmodSync(join(scene.project, name), 0o755))),
    fc.constant(linkStep("lib")),
    fc
      .tuple(fc.constantFrom("", "lib/", "out/", "new/"), fc.constantFrom("*\n", "*.log\n", "lib\n", "\n"))
      .map(([folder, rules]) =>
        step(`ignore ${rules} in ${folder}`, (scene) => scene.write(`${folder}.gitignore`, rules)),
      ),
    fc
      .constantFrom("--assume-unchanged", "--skip-worktree", "--no-assume-unchanged", "--no-skip-worktree")
      .chain((flag) =>
        path.map((name) => step(`${flag} ${name}`, (scene) => void scene.git("update-index", flag, name))),
      ),
    path.map((name) => step(`untrack ${name}`, (scene) => void scene.git("rm", "-rq", "--cached", name))),
    path.map((name) => step(`track ${name}`, (scene) => void scene.git("add", "-f", name))),
    step1("commit", (scene) => {
      scene.git("add", "-A");
      scene.git("commit", "-qm", "next");
    }),
    step1("pack", (scene) => void scene.git("pack-refs", "--all")),
    step1("begin a repository inside", (scene) => void scene.git("init", "-q", "new")),
    step1("look at the status", (scene) => void scene.git("status", "--short")),
  );
}

/** Of one length, so that only content or times tell them apart. */
const text = fc.constantFrom("1111\n", "2222\n", "3333\n");

/** Moves a folder out of the project and puts a link to it into its place: its files stay what they were. */
export function linkStep(folder: string): Step {
  return step(`move ${folder} away and link to it`, (scene) => {
    renameSync(join(scene.project, folder), join(scene.root, "elsewhere"));
    symlinkSync("../elsewhere", join(scene.project, folder));
  });
}

function step(what: string, act: (scene: ScratchRepository) => void): Step {
  // Many steps meet a path that is not there, or is something else.
  const tried = (scene: ScratchRepository): void => {
    try {
      act(scene);
    } catch {}
  };
  return { what, act: tried };
}

function step1(what: string, act: (scene: ScratchRepository) => void): fc.Arbitrary<Step> {
  return fc.constant(step(what, act));
}
