import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createGit, type Git, type GitContext } from "../git/git.ts";
import type { Repository } from "../git/repository.ts";
import { readBytesFile } from "../lib/read-text-file.ts";
import { describeFailure, type ToolEnd } from "../git/run-tool.ts";

/**
 * A repository of our own with a work tree of its own. It reads the objects of the user's repository and writes none there: the
 * user's work tree, index and references stay as they are.
 */
export type ScratchCheckout = {
  /** The top of the work tree. */
  top: string;
  /** The project in it: the same place below the top as in the user's repository. */
  projectDir: string;
  /** The tree of a commit, a tag or a tree. Rejects when the repository does not have it. */
  treeOf(name: string): Promise<string>;
  /** The paths of a tree's files. */
  files(tree: string): Promise<string[]>;
  /** Makes the work tree hold exactly a tree. What git ignores stays, as installed dependencies do. */
  show(tree: string): Promise<void>;
  /** The tree that the user's index holds. Rejects while a merge is not resolved. */
  stagedTree(): Promise<string>;
};

/** Where the checkout is made: `folder` is ours alone. */
export type ScratchOptions = {
  context: Omit<GitContext, "frozen">;
  repository: Repository;
  folder: string;
  /** The commit that HEAD names; null: no commit is known, only trees. */
  commit: string | null;
  /** Whether objects are named by sha256. */
  isSha256: boolean;
};

/** Makes the repository; its work tree holds nothing yet. */
export function openScratchCheckout(options: ScratchOptions): ScratchCheckout {
  const { context, repository, folder } = options;
  const top = join(folder, basename(repository.top));
  const gitDir = join(top, ".git");
  writeRepository(options, gitDir);
  const place: Repository = { top, gitDir, commonDir: gitDir, entry: "folder", prefix: "" };
  const bound = { ...context, frozen: { projectDir: top } };
  const git = createGit(bound, { turnMarker: `${context.runId}.checkout`, repository: place });
  const call = (words: readonly string[], index = "index"): Promise<string> => run(git, words, join(gitDir, index));
  return {
    top,
    projectDir: join(top, repository.prefix),
    treeOf: (name) => call(["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{tree}`]),
    async files(tree) {
      const listed = await call(["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree]);
      return listed.split("\0").filter((path) => path !== "");
    },
    async show(tree) {
      await call(["read-tree", "--reset", "-u", tree]);
      await call(["clean", "-ffdq"]);
      mkdirSync(join(top, repository.prefix), { recursive: true });
    },
    stagedTree() {
      copySmall(join(repository.gitDir, "index"), join(gitDir, "staged"));
      return call(["write-tree"], "staged");
    },
  };
}

/** Neither the user's configuration nor attributes of the tree change what is checked out: files are what their objects hold. */
async function run(git: Git, words: readonly string[], index: string): Promise<string> {
  const env = { GIT_INDEX_FILE: index, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const end: ToolEnd = await git(words, { env });
  if (end.exitCode !== 0 || !end.isWhole) throw new Error(describeFailure(`git ${words[0] ?? ""}`, end));
  return end.stdout.trim();
}

function writeRepository({ repository, commit, isSha256 }: ScratchOptions, gitDir: string): void {
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(gitDir, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(gitDir, name), text);
  };
  const format = isSha256 ? "[extensions]\n\tobjectFormat = sha256\n" : "";
  write("HEAD", "ref: refs/heads/main\n");
  write("config", `[core]\n\trepositoryFormatVersion = ${isSha256 ? 1 : 0}\n\tbare = false\n${format}`);
  mkdirSync(join(gitDir, "refs"), { recursive: true, mode: 0o700 });
  if (commit !== null) write("refs/heads/main", `${commit}\n`);
  write("objects/info/alternates", `${join(repository.commonDir, "objects")}\n`);
  write("info/attributes", "* -text -filter -ident -eol -working-tree-encoding\n");
  copySmall(join(repository.commonDir, "shallow"), join(gitDir, "shallow"));
}

/** An index has about 100 bytes per file; a tree of a million files fits. */
const copyBytesMax = 256 * 1024 * 1024;

/** Copies a file of the user's repository, if it is there. */
function copySmall(from: string, to: string): void {
  const bytes = readBytesFile(from, { bytesMax: copyBytesMax, links: "refuse" });
  if (bytes !== null) writeFileSync(to, bytes);
}
