import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { anyStep, former, meetingPaths as paths } from "../../../../tests/git/any-step.ts";
import { openRepository } from "../../../../tests/git/scratch-repository.ts";
import { patient } from "../../../../tests/patience.ts";
import { propertySeed } from "../../../../tests/property-seed.ts";
import type { RunGit } from "../run-git.ts";
import { differingPaths } from "./candidate.ts";
import { markUserIndex } from "./quick-tree.ts";
import { type StageRule, stageListed, stageTree } from "./stage-tree.ts";

const everything: StageRule = { index: "look", isNewTaken: () => true, isKnownTaken: () => true };

/** The same run, whose calls of git are counted. */
function counted(run: RunGit): { run: RunGit; words: string[] } {
  const words: string[] = [];
  return {
    words,
    run: {
      ...run,
      git: (argv, call) => {
        words.push(argv[0] ?? "");
        return run.git(argv, call);
      },
    },
  };
}

describe("the fast way to a tree", () => {
  it(
    "finds the same tree as hashing every file anew, whatever happened to files, rules and the index",
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(anyStep(paths), { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
          async (rounds) => {
            const scene = openRepository();
            scene.write("lib/b.txt", "1111\n");
            scene.write("out/e.txt", "1111\n");
            scene.git("add", "-A");
            scene.git("commit", "-qm", "more");
            const quick = await scene.open();
            const slow = await scene.open({ runId: "anew" });
            const anew = async () => {
              slow.disk.remove(join(slow.store.folder, "look"));
              return stageListed(slow, everything);
            };
            for (const steps of [[], ...rounds]) {
              for (const { act } of steps) act(scene);
              const [found, wanted] = [await stageTree(quick, everything), await anew()];
              expect({ tree: found.tree, left: found.left.toSorted(), added: found.added.toSorted() }).toEqual({
                tree: wanted.tree,
                left: wanted.left.toSorted(),
                added: wanted.added.toSorted(),
              });
            }
          },
        ),
        { seed: propertySeed, numRuns: Number(process.env["RALPH_LOOKS"] ?? 10) },
      ),
    patient(120_000),
  );

  it("takes a file back that was gone for a look, though new files are left alone and a rule ignores it", async () => {
    const scene = openRepository();
    const run = await scene.open();
    const known: StageRule = { ...everything, index: "candidate", isNewTaken: () => false };
    const { tree } = await stageTree(run, known);
    for (let round = 0; round < 2; round += 1) {
      rmSync(join(scene.project, "a.txt"));
      expect((await stageTree(run, known)).tree).not.toBe(tree);
      scene.write("a.txt", "one\n");
      expect(await stageTree(run, known)).toMatchObject({ tree, added: [], left: [] });
    }
  });

  it("starts one process where nothing changed, and three where files did", async () => {
    const scene = openRepository();
    scene.write("new.txt", "new\n");
    const { run, words } = counted(await scene.open());
    // An index as young as the clock's lag may be written once more unseen: then it is listed, too.
    await vi.waitUntil(() => markUserIndex(run, Date.now()).isSure, patient(5000));
    const { tree } = await stageTree(run, everything);
    words.length = 0;
    expect((await stageTree(run, everything)).tree).toBe(tree);
    expect(words).toEqual(["status"]);
    scene.write("a.txt", "two\n");
    scene.write("newer.txt", "new\n");
    words.length = 0;
    const { added } = await stageTree(run, everything);
    expect(added).toEqual(["new.txt", "newer.txt"]);
    expect(words).toEqual(["status", "update-index", "write-tree"]);
  });

  it("sees a change of the same length in the same second, with the time of the content set back", async () => {
    const scene = openRepository();
    const run = await scene.open();
    const write = (words: string): void => {
      scene.write("a.txt", words);
      utimesSync(join(scene.project, "a.txt"), former, former);
    };
    write("one\n");
    const trees = new Set<string>();
    for (const words of ["two\n", "six\n", "ten\n", "one\n"]) {
      write(words);
      trees.add((await stageTree(run, everything)).tree);
    }
    expect(trees.size).toBe(4);
  });

  it("begins with the user's index where no agent has worked, and with nothing of it where one has", async () => {
    const scene = openRepository();
    const file = join(scene.project, "a.txt");
    const index = join(scene.project, ".git/index");
    // The facts of a file with other content than the index says, as an agent would forge them.
    utimesSync(file, former, former);
    scene.git("update-index", "--refresh");
    const objects = scene.git("ls-files", "--stage");
    scene.write("a.txt", "two\n");
    scene.git("add", "a.txt");
    const forged = readFileSync(index);
    const [held = "", wanted = ""] = [scene.git("ls-files", "--stage"), objects].map(
      (line) => line.split(" ")[1] ?? "",
    );
    Buffer.from(wanted, "hex").copy(forged, forged.indexOf(Buffer.from(held, "hex")));
    writeFileSync(index, forged);
    const late = await scene.open({ runId: "late", isBeforeTurns: false });
    const { tree } = await stageTree(late, everything);
    expect(await differingPaths(late, scene.git("rev-parse", "HEAD^{tree}"), tree)).toEqual(["a.txt"]);
    const early = await scene.open();
    expect(existsSync(join(early.store.folder, "look"))).toBe(true);
    expect(existsSync(join(late.store.folder, "candidate"))).toBe(false);
  });

  // Other systems refuse such a name.
  it.runIf(process.platform === "linux")("sees changes of a file whose name is not UTF-8", async () => {
    const scene = openRepository();
    const file = Buffer.concat([Buffer.from(join(scene.project, "b-")), Buffer.from([0xff])]);
    const trees = new Set<string>();
    writeFileSync(file, "one\n");
    scene.git("add", "-A");
    const run = await scene.open();
    for (const words of ["one\n", "two\n", "six\n"]) {
      writeFileSync(file, words);
      trees.add((await stageTree(run, everything)).tree);
    }
    expect(trees.size).toBe(3);
  });

  it("asks the user's index for its paths only when it was written, and lists it when other paths are in it", async () => {
    const scene = openRepository();
    const { run, words } = counted(await scene.open());
    await stageTree(run, everything);
    scene.write("a.txt", "two\n");
    scene.git("commit", "-qam", "two");
    await stageTree(run, everything);
    expect(words.slice(-4)).toEqual(["ls-files", "status", "update-index", "write-tree"]);
    words.length = 0;
    scene.write(".gitignore", "*.log\n");
    scene.write("kept.log", "kept\n");
    scene.git("add", "-f", "kept.log");
    const { tree } = await stageTree(run, everything);
    expect(words).toContain("add");
    scene.git("add", ".gitignore");
    expect(scene.git("write-tree")).toBe(tree);
  });
});
