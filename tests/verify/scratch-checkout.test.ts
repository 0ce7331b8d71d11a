import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createGit } from "../../src/shell/git/git.ts";
import { findRepository } from "../../src/shell/git/repository.ts";
import { findCommit, findUpstreamDefault, mergeBase } from "../../src/shell/checkout/named-commits.ts";
import { openScratchCheckout, type ScratchCheckout } from "../../src/shell/checkout/scratch-checkout.ts";
import { openRepository, type ScratchRepository } from "../git/scratch-repository.ts";

function checkoutOf(repository: ScratchRepository): ScratchCheckout {
  const found = findRepository(repository.place.disk, repository.project);
  if (found === null) throw new Error("no repository");
  const commit = repository.git("rev-parse", "HEAD");
  const folder = join(repository.root, "scratch");
  return openScratchCheckout({ context: repository.place, repository: found, folder, commit, isSha256: false });
}

it("holds exactly a tree, byte for byte, and leaves the user's repository alone", async () => {
  const repository = openRepository();
  repository.write(".gitattributes", "*.txt text eol=crlf\n");
  repository.write("gone.txt", "x\n");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "more");
  const standing = (): string => [repository.git("for-each-ref"), repository.git("ls-files", "-s")].join();
  const before = standing();
  const checkout = checkoutOf(repository);
  await checkout.show(await checkout.treeOf("HEAD"));
  expect(await checkout.files("HEAD")).toEqual([".gitattributes", "a.txt", "gone.txt"]);
  writeFileSync(join(checkout.top, "left.txt"), "by an installer");
  await checkout.show(await checkout.treeOf(repository.git("rev-parse", "HEAD~1")));
  expect(readFileSync(join(checkout.top, "a.txt"), "utf8")).toBe("one\n");
  expect(["gone.txt", "left.txt", ".git"].map((name) => existsSync(join(checkout.top, name)))).toEqual([
    false,
    false,
    true,
  ]);
  expect(standing()).toBe(before);
});

it("names the tree of the index without writing to the user's repository", async () => {
  const repository = openRepository();
  repository.write("a.txt", "staged\n");
  repository.git("add", "a.txt");
  repository.write("a.txt", "later\n");
  const tree = await checkoutOf(repository).stagedTree();
  expect(() => repository.git("cat-file", "-e", tree)).toThrow("cat-file");
  expect(repository.git("write-tree")).toBe(tree);
});

it("finds commits by name, where they parted, and the upstream's default branch", async () => {
  const repository = openRepository();
  const git = createGit(repository.place, { turnMarker: "look" });
  const first = repository.git("rev-parse", "HEAD");
  expect(await findUpstreamDefault(git)).toBeNull();
  repository.git("update-ref", "refs/remotes/origin/master", first);
  expect(await findUpstreamDefault(git)).toBe("refs/remotes/origin/master");
  repository.git("commit", "-q", "--allow-empty", "-m", "second");
  expect(await findCommit(git, "main~1")).toBe(first);
  expect(await findCommit(git, "--all")).toBeNull();
  expect(await mergeBase(git, "main", first)).toBe(first);
});
