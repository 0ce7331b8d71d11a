import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDelivery, type ScratchDelivery } from "../../../tests/scm/scratch-delivery.ts";

/** A hook that adds a file to the commit it is called for. */
const adding = (name: string): string => `echo hooked > ${name}\ngit add ${name}`;

const filesOf = (scene: ScratchDelivery): string[] => scene.git("ls-tree", "-r", "--name-only", "HEAD").split("\n");

async function deliverTwo(scene: ScratchDelivery, given = {}): Promise<void> {
  scene.write("tracked.txt", "two\n");
  expect(await scene.deliver(given)).toMatchObject({ problem: null, tree: scene.git("rev-parse", "HEAD^{tree}") });
}

describe("the hooks of a delivery", () => {
  it("run as they were before the first turn, and the tree that they made is told", async () => {
    const scene = openDelivery();
    scene.hook("pre-commit", adding("old.txt"));
    await scene.start();
    await deliverTwo(scene);
    expect(filesOf(scene)).toEqual(["old.txt", "tracked.txt"]);
    expect(scene.notes).toEqual([]);
  });

  it("that a turn added or changed are not run and are named; the former ones are run", async () => {
    const scene = openDelivery();
    scene.hook("pre-commit", adding("old.txt"));
    await scene.start();
    scene.hook("pre-commit", adding("evil.txt"));
    scene.hook("post-commit", "touch evil.txt");
    await deliverTwo(scene);
    expect([filesOf(scene), scene.has("evil.txt")]).toEqual([["old.txt", "tracked.txt"], false]);
    const [post, pre] = ["post-commit", "pre-commit"].map((name) => join(scene.project, ".git/hooks", name));
    expect(scene.notes).toEqual([`Hooks that were changed or added since the start were not run: ${post}, ${pre}.`]);
  });

  it("that a turn removed are run, too", async () => {
    const scene = openDelivery();
    scene.hook("pre-commit", adding("old.txt"));
    await scene.start();
    rmSync(join(scene.project, ".git/hooks/pre-commit"));
    await deliverTwo(scene);
    expect(filesOf(scene)).toEqual(["old.txt", "tracked.txt"]);
  });

  it("stay where core.hooksPath said before the first turn", async () => {
    const scene = openDelivery();
    scene.hook("pre-commit", adding("old.txt"));
    await scene.start();
    mkdirSync(join(scene.root, "evil"));
    writeFileSync(join(scene.root, "evil/pre-commit"), "#!/bin/sh\ntouch evil.txt\n", { mode: 0o755 });
    scene.git("config", "core.hooksPath", join(scene.root, "evil"));
    await deliverTwo(scene);
    expect([filesOf(scene), scene.has("evil.txt")]).toEqual([["old.txt", "tracked.txt"], false]);
    expect(scene.notes.join()).toContain(`core.hooksPath = ${join(scene.root, "evil")}`);
  });

  it("find the files beside them, as husky's do, also when one was changed", async () => {
    const scene = openDelivery();
    mkdirSync(join(scene.project, ".husky/_"), { recursive: true });
    scene.write(".husky/_/pre-commit", '#!/bin/sh\n. "$(dirname "$0")/h"\n');
    scene.write(".husky/_/h", 'sh -e "$(dirname "$(dirname "$0")")/$(basename "$0")"\n');
    scene.write(".husky/pre-commit", `${adding("old.txt")}\n`);
    scene.git("update-index", "--add", "--chmod=+x", ".husky/_/pre-commit");
    scene.git("commit", "-q", "-m", "husky");
    scene.git("checkout-index", "-f", ".husky/_/pre-commit");
    scene.git("config", "core.hooksPath", ".husky/_");
    await scene.start();
    scene.write(".husky/pre-commit", `${adding("evil.txt")}\n`);
    await deliverTwo(scene, { stage: "tracked" });
    expect(filesOf(scene)).toEqual([".husky/_/pre-commit", "old.txt", "tracked.txt"]);
  });

  it("do not run where the settings say so", async () => {
    const scene = openDelivery();
    scene.hook("pre-commit", adding("old.txt"));
    await deliverTwo(scene, { hooks: false });
    expect(filesOf(scene)).toEqual(["tracked.txt"]);
  });

  it("see a repository as after a commit by hand, so that they can work in others", async () => {
    const scene = openDelivery();
    scene.hook("pre-commit", `git init -q '${scene.root}/other' && git -C '${scene.root}/other' status > /dev/null`);
    await deliverTwo(scene);
    expect(scene.git("-C", join(scene.root, "other"), "rev-parse", "--git-dir")).toBe(".git");
  });
});

describe("what a turn wrote into the configuration", () => {
  it("filters nothing that is committed", async () => {
    const scene = openDelivery();
    await scene.start();
    scene.git("config", "filter.evil.clean", "echo evil");
    writeFileSync(join(scene.project, ".git/info/attributes"), "*.txt filter=evil\n");
    await deliverTwo(scene);
    expect(scene.git("show", "HEAD:tracked.txt")).toBe("two");
  });

  it.each([
    ["signs nothing", "--local", false],
    ["is not needed where the user's own configuration signs", "--global", true],
  ])("%s", async (_what, scope, isSigned) => {
    const scene = openDelivery();
    scene.program("signer", `touch '${scene.root}/signed'\nexit 1`);
    scene.git("config", scope, "commit.gpgsign", "true");
    scene.git("config", scope, "gpg.program", "signer");
    scene.write("tracked.txt", "two\n");
    const { problem } = await scene.deliver({});
    expect([problem === null, existsSync(join(scene.root, "signed"))]).toEqual([!isSigned, isSigned]);
  });

  it("moves no commit elsewhere: another core.worktree is a problem that names it", async () => {
    const scene = openDelivery();
    await scene.start();
    scene.write("tracked.txt", "two\n");
    scene.git("config", "core.worktree", scene.root);
    const { problem } = await scene.deliver({});
    expect(problem).toBe(
      `core.worktree was set to ${scene.root} during the run; nothing was committed. Undo it: git config --unset core.worktree`,
    );
  });

  it("hides no new file from the commit", async () => {
    const scene = openDelivery();
    await scene.start();
    writeFileSync(join(scene.project, ".git/info/exclude"), "new.txt\n");
    scene.write("new.txt", "new\n");
    await deliverTwo(scene);
    expect(filesOf(scene)).toEqual(["new.txt", "tracked.txt"]);
  });
});
