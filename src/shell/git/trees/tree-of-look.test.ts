import { rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { anyStep, linkStep, meetingPaths } from "../../../../tests/git/any-step.ts";
import { openRepository, type ScratchRepository } from "../../../../tests/git/scratch-repository.ts";
import { patient } from "../../../../tests/patience.ts";
import { propertySeed } from "../../../../tests/property-seed.ts";
import { takesNew } from "../../../core/policies/candidate.ts";
import type { RunGit } from "../run-git.ts";
import { candidateTree, wholeTree } from "./candidate.ts";
import { markUserIndex } from "./quick-tree.ts";
import { stageListed, type StagedTree } from "./stage-tree.ts";

const own = ".ralph/settings.json";
/** New files of these names were there before the run. */
const untrackedAtStart = ["new/f.txt", "out/d.log"];
const rule = { stage: "run" as const, untrackedAtStart };

/** The candidate by a look of its own that hashes every file, whatever is known. */
async function anew(run: RunGit): Promise<StagedTree> {
  run.disk.remove(join(run.store.folder, "candidate"));
  return stageListed(run, { index: "candidate", isNewTaken: takesNew(rule), isKnownTaken: () => true });
}

/** A look at everything, and the candidate from it. */
async function ofLook(run: RunGit): Promise<StagedTree> {
  const lookedSinceUpMs = performance.now();
  await wholeTree(run);
  return candidateTree(run, rule, { lookedSinceUpMs });
}

async function factsOf({ tree, added, left, links, paths }: StagedTree): Promise<unknown> {
  return { tree, links, added: added.toSorted(), left: left.toSorted(), paths: (await paths()).toSorted() };
}

function openWithOwn(): ScratchRepository {
  const scene = openRepository();
  for (const path of ["lib/b.txt", "out/e.txt", own]) scene.write(path, "1111\n");
  scene.git("add", "-A");
  scene.git("commit", "-qm", "more");
  return scene;
}

/** The same run, whose calls of git are counted. */
function counted(run: RunGit): { run: RunGit; words: string[] } {
  const words: string[] = [];
  const git: RunGit["git"] = (argv, call) => {
    words.push(argv[0] ?? "");
    return run.git(argv, call);
  };
  return { words, run: { ...run, git } };
}

describe("the tree of a look without some of its files", () => {
  it(
    "is the candidate that a look of its own would find, whatever happened to files, rules and the index",
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.array(fc.oneof(anyStep([...meetingPaths, own]), fc.constant(linkStep(".ralph"))), {
              minLength: 1,
              maxLength: 3,
            }),
            { maxLength: 8 },
          ),
          async (rounds) => {
            const scene = openWithOwn();
            const [quick, slow] = [await scene.open(), await scene.open({ runId: "anew" })];
            for (const steps of [[], ...rounds]) {
              for (const { act } of steps) act(scene);
              const [found, wanted] = [await ofLook(quick), await anew(slow)];
              expect(found.tree).toBe(wanted.tree);
              expect([...found.added, ...found.left].toSorted()).toEqual([...wanted.added, ...wanted.left].toSorted());
            }
          },
        ),
        { seed: propertySeed, numRuns: Number(process.env["RALPH_LOOKS"] ?? 10) },
      ),
    patient(120_000),
  );

  it("starts no process of its own where only files changed that it leaves out, and two where others did", async () => {
    const scene = openWithOwn();
    const { run, words } = counted(await scene.open());
    scene.write("new/f.txt", "1111\n");
    // Files as young as the clock's lag may be written once more unseen: then they are read again.
    await vi.waitUntil(() => markUserIndex(run, Date.now()).isSure, patient(5000));
    const former = await ofLook(run);
    scene.write("new/f.txt", "2222\n");
    words.length = 0;
    expect((await ofLook(run)).tree).toBe(former.tree);
    expect(words).toEqual(["status", "update-index", "write-tree"]);
    scene.write("lib/b.txt", "2222\n");
    words.length = 0;
    const changed = await ofLook(run);
    expect(words).toEqual(["status", "update-index", "write-tree", "update-index", "write-tree"]);
    expect(await factsOf(changed)).toEqual(await factsOf(await anew(await scene.open({ runId: "anew" }))));
  });

  it("holds a file of ours that git knows as it is now", async () => {
    const scene = openWithOwn();
    const run = await scene.open();
    const slow = await scene.open({ runId: "anew" });
    const trees = new Set<string>();
    for (const words of ["2222\n", "3333\n", "1111\n"]) {
      scene.write(own, words);
      const { tree } = await ofLook(run);
      expect(tree).toBe((await anew(slow)).tree);
      trees.add(tree);
    }
    expect(trees.size).toBe(3);
    rmSync(join(scene.project, own));
    expect((await ofLook(run)).tree).toBe((await anew(slow)).tree);
  });

  it("is asked of the files themselves when the look is older than the moment that is meant", async () => {
    const scene = openWithOwn();
    const { run, words } = counted(await scene.open());
    const former = await ofLook(run);
    scene.write("a.txt", "two\n");
    words.length = 0;
    const { tree } = await candidateTree(run, rule, { lookedSinceUpMs: performance.now() });
    expect(tree).not.toBe(former.tree);
    expect(words).not.toEqual([]);
  });
});
