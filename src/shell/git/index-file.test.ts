import { readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepository } from "../../../tests/git/scratch-repository.ts";
import { forgetUnsure, markFile, pathsInIndex } from "./index-file.ts";

describe("an index of ours", () => {
  it.each([
    ["2", "sha1"],
    ["4", "sha1"],
    ["2", "sha256"],
  ] as const)(
    "of version %s with %s has no facts of files that changed since the look began, and the rest as it was",
    (version, algorithm) => {
      const scene = openRepository();
      const folder = join(scene.root, "other");
      scene.git("init", "-q", `--object-format=${algorithm}`, folder);
      const git = (...words: string[]): string => scene.git("-C", folder, ...words);
      for (const name of ["a.txt", "lib/a.txt", "lib/long-name-of-a-file.txt"])
        scene.write(`../other/${name}`, "one\n");
      git("add", "-A");
      git("update-index", `--index-version=${version}`);
      git("write-tree");
      const path = join(folder, ".git/index");
      const [before, content] = [git("ls-files", "--debug"), readFileSync(path)];
      forgetUnsure({ path, algorithm, sinceMs: Date.now() + 5000 });
      expect(readFileSync(path)).toEqual(content);
      const { mtimeMs } = statSync(path);
      forgetUnsure({ path, algorithm, sinceMs: Date.now() - 60_000 });
      const after = git("ls-files", "--debug");
      expect(after.match(/ctime: 0:0/g)).toHaveLength(3);
      expect(after.match(/size: 0/g)).toHaveLength(3);
      expect(before.match(/size: 4/g)).toHaveLength(3);
      expect(statSync(path).mtimeMs).toBe(Math.floor(mtimeMs / 1000) * 1000);
      expect(git("fsck")).toBe("");
      expect(git("status", "--porcelain")).toBe("A  a.txt\nA  lib/a.txt\nA  lib/long-name-of-a-file.txt");
    },
  );

  it("is removed where nobody can read it", () => {
    const scene = openRepository();
    scene.write("index", "DIRC, but nothing else");
    forgetUnsure({ path: join(scene.project, "index"), algorithm: "sha1", sinceMs: 0 });
    expect(scene.has("index")).toBe(false);
  });
});

describe("the paths in an index of ours", () => {
  /** Compares them with those that git lists; null: they are left to git. */
  function check(
    format: "sha1" | "sha256",
    prepare: (git: (...words: string[]) => string) => void,
    isTold = true,
  ): void {
    const scene = openRepository();
    const folder = join(scene.root, "other");
    scene.git("init", "-q", `--object-format=${format}`, folder);
    for (const name of ["a.txt", "lib/ä ö\n.txt", `lib/${"long/".repeat(30)}a.txt`, "new.txt"])
      scene.write(`../other/${name}`, "one\n");
    const git = (...words: string[]): string => scene.git("-C", folder, ...words);
    git("add", "a.txt", "lib");
    prepare(git);
    const listed = git("ls-files", "-z").split("\0").slice(0, -1);
    const paths = pathsInIndex({ path: join(folder, ".git/index"), algorithm: format });
    expect(paths).toEqual(isTold ? listed : null);
    expect(listed.length).toBeGreaterThan(2);
  }

  it("are those that git lists, whatever their names, hashes and flags", () => {
    check("sha1", (git) => git("write-tree"));
    check("sha256", () => {});
    check("sha1", (git) => git("add", "--intent-to-add", "new.txt"));
    check("sha1", (git) => git("update-index", "--skip-worktree", "a.txt"));
  });

  it("are left to git where names are shortened, the index is in parts, or folders stand for their files", () => {
    check("sha1", (git) => git("update-index", "--index-version=4"), false);
    check("sha1", (git) => git("update-index", "--split-index"), false);
    const sparse = (git: (...words: string[]) => string): void => {
      git("-c", "user.name=a", "-c", "user.email=a@example.invalid", "commit", "-q", "-m", "one");
      git("sparse-checkout", "set", "--cone", "--sparse-index", "none");
    };
    check("sha1", sparse, false);
  });

  it("are left to git where nobody can read it", () => {
    const scene = openRepository();
    scene.write("index", "DIRC, but nothing else");
    for (const name of ["index", "none"])
      expect(pathsInIndex({ path: join(scene.project, name), algorithm: "sha1" })).toBeNull();
  });
});

describe("the mark of a file", () => {
  it("differs after a change whose time of content is set back, and is not sure of one that just changed", () => {
    const scene = openRepository();
    const path = join(scene.project, "a.txt");
    const { atime, mtime, ctimeMs } = statSync(path);
    const mark = markFile(path, ctimeMs + 1000);
    expect(mark.isSure).toBe(true);
    expect(markFile(path, ctimeMs).isSure).toBe(false);
    scene.write("a.txt", "two\n");
    utimesSync(path, atime, mtime);
    // The same tick of the clock of the kernel is what `isSure` is about.
    for (let tries = 0; statSync(path).ctimeMs === ctimeMs && tries < 1000; tries += 1) utimesSync(path, atime, mtime);
    expect(markFile(path, ctimeMs + 1000).text).not.toBe(mark.text);
  });
});
