import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openRepository } from "../../../../tests/git/scratch-repository.ts";
import { patient } from "../../../../tests/patience.ts";
import { propertySeed } from "../../../../tests/property-seed.ts";
import type { RunGit } from "../run-git.ts";
import { wholeTree } from "./candidate.ts";
import { absentMode, type TreeChange } from "./changes-since.ts";
import { changesBetween, joinChanges } from "./known-changes.ts";

/** Files by path: a letter for what they hold. */
type Files = Readonly<Record<string, string>>;

const files: fc.Arbitrary<Files> = fc.dictionary(fc.constantFrom("a", "b", "c/d", "c/e"), fc.constantFrom("x", "y"));

function changesOf(from: Files, to: Files): TreeChange[] {
  const paths = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  const facts = (all: Files, path: string): [string, string] =>
    all[path] === undefined ? [absentMode, "0"] : ["100644", all[path]];
  return paths.flatMap((path) => {
    const [[formerMode, formerObject], [mode, object]] = [facts(from, path), facts(to, path)];
    return object === formerObject ? [] : [{ path, mode, object, formerMode, formerObject }];
  });
}

describe("what differs over two steps", () => {
  it("is what differs between their ends, whatever came and went", () => {
    fc.assert(
      fc.property(files, files, files, (first, second, third) => {
        expect(joinChanges(changesOf(first, second), changesOf(second, third))).toEqual(changesOf(first, third));
      }),
      { seed: propertySeed },
    );
  });

  it("is not told from names that are not UTF-8", () => {
    const changes = changesOf({}, { "\uFFFD": "x" });
    expect(joinChanges(changes, [])).toBeNull();
    expect(joinChanges([], changes)).toBeNull();
  });
});

describe("changes between trees", () => {
  it(
    "are as git lists them, by one process for the whole span and the last step",
    async () => {
      const scene = openRepository();
      const run = await scene.open();
      const words: string[] = [];
      const git: RunGit["git"] = (argv, call) => {
        words.push(argv[0] ?? "");
        return run.git(argv, call);
      };
      const context = { ...run, git };
      const from = scene.git("rev-parse", "HEAD");
      const pathsTo = async (start: string, to: string): Promise<string[]> =>
        (await changesBetween(context, "look", { from: start, to })).map(({ path }) => path);
      let former = from;
      const steps: { write: [string, string]; dirty: string[]; step: string[] }[] = [
        { write: ["b.txt", "one\n"], dirty: ["b.txt"], step: ["b.txt"] },
        { write: ["a.txt", "two\n"], dirty: ["a.txt", "b.txt"], step: ["a.txt"] },
        { write: ["c/d.txt", "two\n"], dirty: ["a.txt", "b.txt", "c/d.txt"], step: ["c/d.txt"] },
        { write: ["a.txt", "one\n"], dirty: ["b.txt", "c/d.txt"], step: ["a.txt"] },
      ];
      for (const { write, dirty, step } of steps) {
        scene.write(...write);
        const { tree } = await wholeTree(run);
        words.length = 0;
        expect(await pathsTo(from, tree)).toEqual(dirty);
        expect(await pathsTo(former, tree)).toEqual(step);
        expect(words).toEqual(["diff-tree"]);
        former = tree;
      }
      words.length = 0;
      expect(await pathsTo(former, former)).toEqual([]);
      expect(words).toEqual([]);
    },
    patient(20_000),
  );
});
