import { describe, expect, it } from "vitest";
import { inEveryShape } from "../../../tests/git/reference-scenes.ts";
import { openRepository, type ScratchRepository } from "../../../tests/git/scratch-repository.ts";
import { findRepository } from "../git/repository.ts";
import { answerByFiles } from "./answer-by-files.ts";

const questions = [
  ["symbolic-ref", "--quiet", "--short", "HEAD"],
  ["rev-parse", "--verify", "--quiet", "HEAD"],
  ["rev-parse", "--verify", "--quiet", "refs/heads/main"],
  ["rev-parse", "--verify", "--quiet", "refs/heads/topic/one"],
];

function answerOf(scene: ScratchRepository, words: readonly string[], directory = scene.project): string | null {
  const repository = findRepository(scene.place.disk, directory);
  if (repository === null) throw new Error(`${directory} is no repository`);
  return answerByFiles(scene.place.disk, repository, words)?.stdout ?? null;
}

describe("a question about HEAD or a branch, answered by files", () => {
  it("is answered as git does: loose, packed, packed and moved on, in a linked work tree", () => {
    const scene = openRepository();
    inEveryShape(scene, (directory) => {
      for (const words of questions) {
        // The second branch is there from the linked work tree on.
        const isThere = scene.git("for-each-ref", words.at(-1) ?? "") !== "" || words.at(-1) === "HEAD";
        expect(answerOf(scene, words, directory)).toBe(isThere ? scene.git("-C", directory, ...words) : null);
      }
    });
  });

  it("is left to git where there is no branch, no commit, or another question", () => {
    const scene = openRepository();
    const [branch = [], , ...commits] = questions;
    scene.git("checkout", "-q", "--detach");
    expect(answerOf(scene, branch)).toBeNull();
    scene.git("checkout", "-q", "--orphan", "new");
    expect(answerOf(scene, ["rev-parse", "--verify", "--quiet", "HEAD"])).toBeNull();
    expect(answerOf(scene, commits[1] ?? [])).toBeNull();
    expect(answerOf(scene, ["rev-parse", "--verify", "--quiet", "refs/heads/main^1"])).toBeNull();
    expect(answerOf(scene, ["rev-parse", "--verify", "--quiet", "MERGE_HEAD"])).toBeNull();
  });
});
