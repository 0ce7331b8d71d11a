import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepository, scratchRunId, type ScratchRepository } from "../../../../tests/git/scratch-repository.ts";
import { candidateTree, differingPaths, headTree, wholeTree } from "./candidate.ts";
import { openRunGit, type RunGit } from "../run-git.ts";
import { untrackedNow } from "./stage-tree.ts";

/** What the user's own git would commit, all of it. */
function committed(scene: ScratchRepository, ...words: string[]): string {
  scene.git("add", ...(words.length === 0 ? ["-A"] : words));
  scene.git("commit", "-q", "-m", "next");
  return scene.git("rev-parse", "HEAD^{tree}");
}

const all = { stage: "all", untrackedAtStart: [] } as const;

async function bothTrees(run: RunGit) {
  const trees = [await candidateTree(run, all), await wholeTree(run)];
  // Which commit git read on the way says only which way was taken.
  return Promise.all(trees.map(async (tree) => ({ ...tree, head: null, paths: (await tree.paths()).toSorted() })));
}

describe("the candidate", () => {
  it("is the tree of the commit that takes everything, and is HEAD's tree when nothing changed", async () => {
    const scene = openRepository();
    const run = await scene.open();
    expect((await candidateTree(run, all)).tree).toBe(await headTree(run));
    scene.write("a.txt", "two\n");
    scene.write("folder/sp ä.txt", "new\n");
    const { tree } = await candidateTree(run, all);
    expect(await differingPaths(run, (await headTree(run)) ?? "", tree)).toEqual(["a.txt", "folder/sp ä.txt"]);
    expect(committed(scene)).toBe(tree);
  });

  it("takes the files that appeared since the start, and names those that were there before", async () => {
    const scene = openRepository();
    scene.write("mine.txt", "mine\n");
    const run = await scene.open();
    const untrackedAtStart = await untrackedNow(run);
    scene.write("new.txt", "new\n");
    scene.write("mine.txt", "mine, changed\n");
    const candidate = await candidateTree(run, { stage: "run", untrackedAtStart });
    expect(candidate).toMatchObject({ added: ["new.txt"], left: ["mine.txt"] });
    expect(committed(scene, "a.txt", "new.txt")).toBe(candidate.tree);
    const unknown = await candidateTree(run, { stage: "run", untrackedAtStart: null });
    expect(unknown).toMatchObject({ added: [], left: ["mine.txt"] });
  });

  it("leaves new files alone where only tracked ones are staged", async () => {
    const scene = openRepository();
    const run = await scene.open();
    scene.write("new.txt", "new\n");
    scene.write("a.txt", "two\n");
    const candidate = await candidateTree(run, { stage: "tracked", untrackedAtStart: [] });
    expect(candidate.left).toEqual(["new.txt"]);
    expect(committed(scene, "-u")).toBe(candidate.tree);
  });

  it("forgets a file that is gone or ignored by now, and takes one again that came back", async () => {
    const scene = openRepository();
    const run = await scene.open();
    const first = (await candidateTree(run, all)).tree;
    scene.write("new.txt", "new\n");
    rmSync(join(scene.project, "a.txt"));
    await candidateTree(run, all);
    scene.write(".git/info/exclude-not-read", "");
    scene.write("a.txt", "one\n");
    rmSync(join(scene.project, "new.txt"));
    expect((await candidateTree(run, all)).tree).toBe(first);
    scene.write("new.txt", "new\n");
    await candidateTree(run, all);
    scene.write(".gitignore", "new.txt\n");
    const ignoring = (await candidateTree(run, all)).tree;
    expect(committed(scene)).toBe(ignoring);
  });

  it("takes new files of every kind as they are", async () => {
    const scene = openRepository();
    const run = await scene.open();
    scene.write("empty.txt", "");
    scene.write("tool.sh", "true\n");
    chmodSync(join(scene.project, "tool.sh"), 0o755);
    symlinkSync("a.txt", join(scene.project, "link"));
    const { tree } = await candidateTree(run, all);
    expect(committed(scene)).toBe(tree);
  });

  it("has a folder where a file was, and a file where a folder was, look after look", async () => {
    const scene = openRepository();
    scene.write("folder/b.txt", "b\n");
    committed(scene);
    const run = await scene.open();
    const swap = (): void =>
      ["a.txt", "folder"].forEach((name) => rmSync(join(scene.project, name), { recursive: true }));
    const before = (await candidateTree(run, all)).tree;
    swap();
    scene.write("a.txt/c.txt", "c\n");
    scene.write("folder", "a file\n");
    const swapped = (await candidateTree(run, all)).tree;
    expect((await candidateTree(run, all)).tree).toBe(swapped);
    scene.write("a.txt/d.txt", "d\n");
    const more = (await candidateTree(run, all)).tree;
    swap();
    scene.write("a.txt", "one\n");
    scene.write("folder/b.txt", "b\n");
    expect((await candidateTree(run, all)).tree).toBe(before);
    swap();
    scene.write("a.txt/c.txt", "c\n");
    scene.write("folder", "a file\n");
    expect(committed(scene)).toBe(swapped);
    scene.write("a.txt/d.txt", "d\n");
    expect(committed(scene)).toBe(more);
  });

  it("is found in a repository with longer names, before its first commit too", async () => {
    const scene = openRepository();
    rmSync(join(scene.project, ".git"), { recursive: true });
    scene.git("init", "-q", "--object-format=sha256");
    const run = await scene.open();
    const { tree } = await candidateTree(run, all);
    scene.write("new.txt", "new\n");
    const next = (await candidateTree(run, all)).tree;
    rmSync(join(scene.project, "new.txt"));
    expect((await candidateTree(run, all)).tree).toBe(tree);
    scene.write("new.txt", "new\n");
    expect(committed(scene)).toBe(next);
  });

  it("has what the agent staged by itself", async () => {
    const scene = openRepository();
    const run = await scene.open();
    scene.write("new.txt", "new\n");
    scene.git("add", "new.txt");
    const candidate = await candidateTree(run, { stage: "tracked", untrackedAtStart: [] });
    scene.git("commit", "-q", "-m", "staged");
    expect(scene.git("rev-parse", "HEAD^{tree}")).toBe(candidate.tree);
  });

  it("writes nothing into the user's repository", async () => {
    const scene = openRepository();
    const run = await scene.open();
    scene.write("a.txt", "two\n");
    const index = readFileSync(join(scene.project, ".git/index"));
    const objects = readdirSync(join(scene.project, ".git/objects"), { recursive: true }).length;
    await candidateTree(run, all);
    await wholeTree(run);
    expect(readFileSync(join(scene.project, ".git/index"))).toEqual(index);
    expect(readdirSync(join(scene.project, ".git/objects"), { recursive: true }).length).toBe(objects);
  });
});

describe("an honest repository gets the tree that its commit will have", () => {
  it.each([
    ["core.autocrlf", (scene: ScratchRepository) => scene.git("config", "core.autocrlf", "true")],
    ["an attribute", (scene: ScratchRepository) => scene.write(".gitattributes", "*.txt text eol=lf\n")],
    [
      "a filter of its own",
      (scene: ScratchRepository) => {
        scene.git("config", "filter.upper.clean", "tr a-z A-Z");
        scene.write(".gitattributes", "*.txt filter=upper\n");
      },
    ],
    [
      "a filter of the user's",
      (scene: ScratchRepository) => {
        scene.git("config", "--global", "filter.upper.clean", "tr a-z A-Z");
        scene.write(".git/info/attributes", "*.txt filter=upper\n");
      },
    ],
    [
      "files kept from the index",
      (scene: ScratchRepository) => scene.git("update-index", "--assume-unchanged", "a.txt"),
    ],
    ["files out of the work tree", (scene: ScratchRepository) => scene.git("update-index", "--skip-worktree", "a.txt")],
  ])("with %s", async (_what, prepare) => {
    const scene = openRepository();
    prepare(scene);
    const run = await scene.open();
    scene.write("a.txt", "one\r\nand two\r\n");
    scene.write("b.txt", "new\r\n");
    const { tree } = await candidateTree(run, all);
    expect(committed(scene)).toBe(tree);
  });
});

describe("what an agent changes in the repository's settings has no effect on the tree", () => {
  it.each([
    [
      "a clean filter",
      (scene: ScratchRepository) => {
        scene.git("config", "filter.hide.clean", "echo one");
        scene.write(".git/info/attributes", "a.txt filter=hide\n");
      },
    ],
    [
      "a filter that an included file brings",
      (scene: ScratchRepository) => {
        scene.write(".git/more", '[filter "hide"]\n\tclean = "echo one"\n');
        scene.git("config", "include.path", "more");
        scene.write(".git/info/attributes", "a.txt filter=hide\n");
      },
    ],
    ["another work tree", (scene: ScratchRepository) => scene.git("config", "core.worktree", scene.root)],
    [
      "a file kept from the index",
      (scene: ScratchRepository) => scene.git("update-index", "--assume-unchanged", "a.txt"),
    ],
    [
      "a file out of the work tree",
      (scene: ScratchRepository) => scene.git("update-index", "--skip-worktree", "a.txt"),
    ],
    ["an excluded file", (scene: ScratchRepository) => scene.write(".git/info/exclude", "b.txt\n")],
    ["a monitor that hangs", (scene: ScratchRepository) => scene.git("config", "core.fsmonitor", "sleep 60; false")],
  ])("%s", async (_what, tamper) => {
    const scene = openRepository();
    const run = await scene.open();
    scene.write("a.txt", "two\n");
    scene.write("b.txt", "new\n");
    const looks = await bothTrees(run);
    tamper(scene);
    expect(await bothTrees(run)).toEqual(looks);
    const again = await scene.open({ isBeforeTurns: false });
    expect(await bothTrees(again)).toEqual(looks);
    const child = await scene.open({ runId: "run-3", parentRunId: scratchRunId });
    expect((await wholeTree(child)).tree).toBe(looks[1]?.tree);
  });
});

it("counts no filter of the repository where a run is opened only after a turn", async () => {
  const scene = openRepository();
  scene.git("config", "filter.hide.clean", "echo one");
  scene.write(".gitattributes", "a.txt filter=hide\n");
  scene.write("a.txt", "two\n");
  const run = await scene.open({ isBeforeTurns: false });
  expect(await differingPaths(run, (await headTree(run)) ?? "", (await wholeTree(run)).tree)).toEqual([
    ".gitattributes",
    "a.txt",
  ]);
});

describe("the tree is found", () => {
  it("in a project below the top, without the project's own folder", async () => {
    const scene = openRepository();
    scene.write("part/b.txt", "part\n");
    scene.write("part/.ralph/settings.json", "{}\n");
    committed(scene);
    scene.write("part/.ralph/settings.json", "{ }\n");
    scene.write("part/.ralph/worktrees/x/c.txt", "ours\n");
    const run = await scene.open({ projectDir: join(scene.project, "part") });
    const { tree, left } = await wholeTree(run);
    expect(left).toEqual([]);
    expect(scene.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")).toContain("part/.ralph/settings.json");
    expect(await differingPaths(run, (await headTree(run)) ?? "", tree)).toEqual(["part/.ralph/settings.json"]);
  });

  it("in a linked work tree", async () => {
    const scene = openRepository();
    const linked = join(scene.root, "linked");
    scene.git("worktree", "add", "-q", linked);
    const run = await scene.open({ projectDir: linked });
    expect((await candidateTree(run, all)).tree).toBe(await headTree(run));
  });

  it("before the first commit", async () => {
    const scene = openRepository();
    rmSync(join(scene.project, ".git"), { recursive: true });
    scene.git("init", "-q");
    const run = await scene.open();
    expect(await headTree(run)).toBeNull();
    const { tree } = await candidateTree(run, all);
    expect(committed(scene)).toBe(tree);
  });

  it("with a submodule, and with a repository inside that nobody added", async () => {
    const scene = openRepository();
    const inner = join(scene.project, "inner");
    mkdirSync(inner);
    scene.git("-C", inner, "init", "-q");
    const run = await scene.open();
    expect(await candidateTree(run, all)).toMatchObject({ tree: await headTree(run), left: ["inner/"] });
    scene.git("-C", inner, "commit", "-q", "--allow-empty", "-m", "inner");
    scene.git("add", "inner");
    const { tree } = await candidateTree(run, all);
    scene.git("commit", "-q", "-m", "with inner");
    expect(scene.git("rev-parse", "HEAD^{tree}")).toBe(tree);
  });

  it("of nothing outside git", async () => {
    const scene = openRepository();
    const outside = { ...scene.place, frozen: { projectDir: scene.root } };
    expect(await openRunGit(outside, { turnMarker: `${scratchRunId}.1` })).toBeNull();
  });
});
