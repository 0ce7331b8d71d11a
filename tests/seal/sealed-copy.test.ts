import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealBase } from "../../src/shell/seal/copy/seal-base.ts";
import { gitIn, sealScene, textIn } from "./seal-scene.ts";

describe("a sealed copy", () => {
  it("holds the candidate's code and the base's tests at a path of its own", async () => {
    const scene = await sealScene({ "src/a.js": "one", "tests/a.test.js": "strict", "tests/gone.test.js": "there" });
    scene.repository.write("src/a.js", "two");
    scene.repository.write("tests/a.test.js", "weak");
    scene.repository.write("tests/new.test.js", "new");
    scene.repository.git("rm", "-q", "tests/gone.test.js");
    const copy = scene.copy();
    const sealed = await scene.sealed();
    await copy.prepare(sealed);
    expect(textIn(copy, "src/a.js")).toBe("two");
    expect(textIn(copy, "tests/a.test.js")).toBe("strict");
    expect(textIn(copy, "tests/gone.test.js")).toBe("there");
    expect(textIn(copy, "tests/new.test.js")).toBe("new");
    expect(copy.folder.startsWith(scene.repository.project)).toBe(false);
    expect(lstatSync(copy.folder).mode & 0o777).toBe(0o700);
    expect(sealed.changedTests).toEqual(["tests/a.test.js", "tests/gone.test.js"]);
    copy.remove();
    expect(existsSync(copy.root)).toBe(false);
  });

  it("has the candidate's own tests and the base's configuration in variant B", async () => {
    const scene = await sealScene({ "tests/a.test.js": "old", "vitest.config.ts": "base" });
    scene.repository.write("tests/a.test.js", "new");
    scene.repository.write("vitest.config.ts", "changed");
    const copy = scene.copy();
    await copy.prepare(await scene.sealed({}, "B"));
    expect([textIn(copy, "tests/a.test.js"), textIn(copy, "vitest.config.ts")]).toEqual(["new", "base"]);
  });

  it("has manifests with the base's scripts and the candidate's dependencies", async () => {
    const base = { scripts: { test: "node --test" }, dependencies: { a: "1" } };
    const scene = await sealScene({ "package.json": JSON.stringify(base) });
    const changed = { scripts: { test: "true" }, jest: {}, dependencies: { a: "1", b: "1" } };
    scene.repository.write("package.json", JSON.stringify(changed));
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    const merged: unknown = JSON.parse(textIn(copy, "package.json") ?? "");
    expect(merged).toEqual({ scripts: base.scripts, dependencies: changed.dependencies });
  });

  it("takes the next candidate in place and nothing that a suite left behind", async () => {
    const scene = await sealScene({ "src/a.js": "one", ".gitignore": "build/\n", "tests/a.js": "t", "same.txt": "s" });
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    const before = lstatSync(join(copy.folder, "same.txt")).ino;
    mkdirSync(join(copy.folder, "build/deep"), { recursive: true });
    writeFileSync(join(copy.folder, "build/deep/stale.js"), "stale");
    writeFileSync(join(copy.folder, "left.txt"), "left");
    writeFileSync(join(copy.folder, "tests/a.js"), "T");
    writeFileSync(join(copy.home, ".npmrc"), "x");
    writeFileSync(join(copy.folder, ".git/config"), "[core]\n\tbare = true\n");
    mkdirSync(join(copy.folder, "inner/.git"), { recursive: true });
    writeFileSync(join(copy.folder, "inner/.git/HEAD"), "ref: refs/heads/x\n");
    scene.repository.write("src/a.js", "two");
    await copy.prepare(await scene.sealed());
    expect(readdirSync(copy.folder).toSorted()).toEqual([".git", ".gitignore", "a.txt", "same.txt", "src", "tests"]);
    expect([textIn(copy, "src/a.js"), textIn(copy, "tests/a.js")]).toEqual(["two", "t"]);
    expect(readdirSync(copy.home)).toEqual([]);
    expect(lstatSync(join(copy.folder, "same.txt")).ino).toBe(before);
    expect(gitIn(copy, "status", "--porcelain")).toBe("");
  });

  it("restores a folder that a suite replaced by a link, and leaves what the link leads to alone", async () => {
    const scene = await sealScene({ "tests/a.js": "t", "src/b.js": "b" });
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    const outside = join(scene.repository.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "a.js"), "fake");
    rmSync(join(copy.folder, "tests"), { recursive: true });
    symlinkSync(outside, join(copy.folder, "tests"));
    await copy.prepare(await scene.sealed());
    expect(textIn(copy, "tests/a.js")).toBe("t");
    expect(lstatSync(join(copy.folder, "tests")).isSymbolicLink()).toBe(false);
    expect(readFileSync(join(outside, "a.js"), "utf8")).toBe("fake");
  });

  it("is made from nothing when a suite locked its folders", async () => {
    const scene = await sealScene({ "src/a.js": "one" });
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    mkdirSync(join(copy.folder, "locked/in"), { recursive: true });
    writeFileSync(join(copy.folder, "locked/in/x"), "x");
    chmodSync(join(copy.folder, "locked/in"), 0o000);
    await copy.prepare(await scene.sealed());
    expect(existsSync(join(copy.folder, "locked"))).toBe(false);
  });

  it("has a repository with the base's history and the candidate as one commit on top", async () => {
    const run = await sealScene({ "src/a.js": "one" });
    run.repository.git("tag", "-a", "v1.0.0", "-m", "one");
    const history = await sealBase(run.store, run.run, run.base);
    run.repository.write("src/a.js", "two");
    const copy = run.copy({ history });
    await copy.prepare(await run.sealed());
    expect(gitIn(copy, "log", "--format=%s").split("\n")).toEqual(["The candidate", "files", "start"]);
    expect(gitIn(copy, "status", "--porcelain")).toBe("");
    expect(gitIn(copy, "rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
    expect(gitIn(copy, "describe")).toMatch(/^v1\.0\.0-1-g/);
    expect(gitIn(copy, "diff", "--name-only", "HEAD~1")).toBe("src/a.js");
    writeFileSync(join(copy.folder, "made"), "x");
    gitIn(copy, "add", "-A");
    gitIn(copy, "commit", "-q", "-m", "of a suite");
  });

  it("gets included files as they were at the seal, and texts of a probe over its own", async () => {
    const scene = await sealScene({ "tests/a.js": "1", "bin/run": "x" });
    scene.repository.git("update-index", "--chmod=+x", "bin/run");
    chmodSync(join(scene.repository.project, "bin/run"), 0o755);
    const include = new Map([["conf/.env.test", Buffer.from("A=1")]]);
    const copy = scene.copy({ include });
    const { tree } = await scene.sealed();
    await copy.prepare({
      tree,
      overlay: new Map([
        ["tests/a.js", "2"],
        ["bin/run", "y"],
      ]),
    });
    expect([textIn(copy, "tests/a.js"), textIn(copy, "conf/.env.test"), textIn(copy, "bin/run")]).toEqual([
      "2",
      "A=1",
      "y",
    ]);
    expect(lstatSync(join(copy.folder, "bin/run")).mode & 0o111).not.toBe(0);
    await copy.prepare({ tree });
    expect([textIn(copy, "tests/a.js"), textIn(copy, "bin/run")]).toEqual(["1", "x"]);
  });

  it("takes names with spaces, quotes, line breaks and other scripts, and line ends as they are", async () => {
    const names = ["tests/a b.js", 'tests/q"uote.js', "tests/größe.js", "tests/line\nbreak.js", "src/-x.js"];
    const scene = await sealScene(Object.fromEntries(names.map((name) => [name, "a\r\nb\r\n"])));
    scene.repository.write(".gitattributes", "* text=auto eol=crlf\n");
    for (const name of names) scene.repository.write(name, "c\r\n");
    scene.repository.write("tests/lf.js", "a\n");
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    expect(names.slice(0, 4).map((name) => textIn(copy, name))).toEqual(Array(4).fill("a\r\nb\r\n"));
    expect(textIn(copy, "tests/lf.js")).toBe("a\n");
    expect(gitIn(copy, "status", "--porcelain")).toBe("");
  });
});

describe("what an agent does to the repository", () => {
  it("hides no change: assume-unchanged, skip-worktree and filters mean nothing to a sealed copy", async () => {
    const scene = await sealScene({ "src/a.js": "one", "src/b.js": "one", "tests/a.js": "strict", "src/c.js": "one" });
    const { repository } = scene;
    repository.git("update-index", "--assume-unchanged", "src/a.js");
    repository.git("update-index", "--skip-worktree", "src/b.js");
    repository.git("config", "filter.f.smudge", "sed s/cheat/honest/");
    repository.git("config", "filter.f.clean", "sed s/cheat/honest/");
    repository.write(".gitattributes", "src/c.js filter=f\ntests/** filter=f\n");
    for (const name of ["src/a.js", "src/b.js", "src/c.js"]) repository.write(name, "cheat");
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    expect(["src/a.js", "src/b.js", "src/c.js"].map((name) => textIn(copy, name))).toEqual(Array(3).fill("cheat"));
    expect(textIn(copy, "tests/a.js")).toBe("strict");
  });

  it("replaces no object: replace refs, grafts and rewritten history mean nothing", async () => {
    const scene = await sealScene({ "tests/a.js": "strict\n" });
    const { repository } = scene;
    const strict = repository.git("rev-parse", "HEAD:tests/a.js");
    repository.write("weak", "weak\n");
    const weak = repository.git("hash-object", "-w", "weak");
    repository.git("replace", strict, weak);
    rmSync(join(repository.project, "weak"));
    repository.git("commit", "-q", "--allow-empty", "--amend", "-m", "rewritten");
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    expect(textIn(copy, "tests/a.js")).toBe("strict\n");
    expect(gitIn(copy, "log", "-1", "--format=%s", "HEAD~1")).toBe("files");
  });

  it("exchanges no object: one whose content is not its name is refused", async () => {
    const scene = await sealScene({ "src/a.js": "one" });
    const { repository } = scene;
    repository.write("src/a.js", "honest but red\n");
    const honest = repository.git("hash-object", "-w", "src/a.js");
    repository.write("other", "green in the copy\n");
    const other = repository.git("hash-object", "-w", "other");
    rmSync(join(repository.project, "other"));
    const pathOf = (object: string): string =>
      join(repository.project, ".git/objects", object.slice(0, 2), object.slice(2));
    chmodSync(pathOf(honest), 0o644);
    renameSync(pathOf(other), pathOf(honest));
    const copy = scene.copy();
    await expect(scene.sealed().then((sealed) => copy.prepare(sealed))).rejects.toThrow(/git/);
    expect(textIn(copy, "src/a.js")).toBeNull();
  });

  it("starts no hook, monitor or filter program", async () => {
    const scene = await sealScene({ "src/a.js": "one" });
    const trap = scene.repository.program("trap", `touch '${scene.repository.root}/sprung'; cat`);
    for (const key of ["core.fsmonitor", "filter.t.smudge", "filter.t.clean", "core.sshCommand"]) {
      scene.repository.git("config", key, trap);
    }
    for (const hook of ["post-checkout", "post-index-change", "reference-transaction"]) {
      const path = join(scene.repository.project, ".git/hooks", hook);
      writeFileSync(path, `#!/bin/sh\n${trap}\n`, { mode: 0o755 });
    }
    scene.repository.write(".gitattributes", "* filter=t\n");
    rmSync(join(scene.repository.root, "sprung"), { force: true });
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    expect(existsSync(join(scene.repository.root, "sprung"))).toBe(false);
  });

  it("poisons no build: what git ignores is not there", async () => {
    const scene = await sealScene({ "src/a.py": "x", ".gitignore": "build/\n__pycache__/\n" });
    scene.repository.write("build/fix.js", "x");
    scene.repository.write("src/__pycache__/a.cpython-311.pyc", "x");
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    expect([existsSync(join(copy.folder, "build")), existsSync(join(copy.folder, "src/__pycache__"))]).toEqual([
      false,
      false,
    ]);
  });

  it("adds no configuration: what was absent at the base stays absent, and is named", async () => {
    const scene = await sealScene({ "src/a.py": "x", "tests/test_a.py": "x" });
    for (const name of [".npmrc", "tests/conftest.py", "unittest.py", "sitecustomize.py", ".env"]) {
      scene.repository.write(name, "x");
    }
    const copy = scene.copy();
    const sealed = await scene.sealed();
    await copy.prepare(sealed);
    expect(readdirSync(copy.folder).toSorted()).toEqual([".git", "a.txt", "src", "tests"]);
    expect(readdirSync(join(copy.folder, "tests"))).toEqual(["test_a.py"]);
    expect(sealed.leftOut.map(({ path }) => path).toSorted()).toEqual(
      [".env", ".npmrc", "sitecustomize.py", "tests/conftest.py", "unittest.py"].toSorted(),
    );
  });

  it("puts no link in the place of tests", async () => {
    const scene = await sealScene({ "tests/a.js": "strict", "src/b.js": "b" });
    const { project } = scene.repository;
    renameSync(join(project, "tests"), join(project, "weak"));
    writeFileSync(join(project, "weak/a.js"), "weak");
    symlinkSync("weak", join(project, "tests"));
    const copy = scene.copy();
    await copy.prepare(await scene.sealed());
    expect(textIn(copy, "tests/a.js")).toBe("strict");
    expect(lstatSync(join(copy.folder, "tests")).isSymbolicLink()).toBe(false);
  });
});
