import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readBytesFile } from "../../lib/read-text-file.ts";
import { removeTree } from "../../lib/remove-tree.ts";
import { plainAttributes, repositoryConfig, type SealStore } from "./seal-store.ts";

/** The history that suites see when they ask git. Without a head there is the candidate's commit alone. */
export type CopyHistory = {
  head: string | null;
  branch: string;
  isShallow: boolean;
  /** Commits or tag objects by name. */
  tags: Readonly<Record<string, string>>;
};

/** Which copy gets a repository, and of what. */
export type CopyRepositoryOptions = { folder: string; index: string; tree: string };

/** An index has about 100 bytes per file; a tree of a million files fits. */
const indexBytesMax = 256 * 1024 * 1024;

/**
 * Makes a fresh `.git`: the history of the base and the tree as one commit on top of it, on the branch of the base. Objects are
 * read from the seal's store, which is not copied; nothing that a suite writes gets there.
 */
export async function writeRepository(
  { store, history }: { store: SealStore; history: CopyHistory },
  { folder, index, tree }: CopyRepositoryOptions,
): Promise<void> {
  const gitDir = join(folder, ".git");
  removeTree(gitDir);
  const parent = history.head === null ? [] : ["-p", history.head];
  const { stdout } = await store.call(["commit-tree", tree, ...parent, "-m", "The candidate"]);
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(gitDir, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(gitDir, name), content);
  };
  const branch = isBranch(history.branch) ? history.branch : "main";
  const tags = Object.entries(history.tags).filter(([name]) => isBranch(name));
  write("HEAD", `ref: refs/heads/${branch}\n`);
  write(`refs/heads/${branch}`, `${stdout.trim()}\n`);
  write("config", `${repositoryConfig({ isBare: false, isSha256: store.isSha256 })}${identity}`);
  write("packed-refs", tags.map(([name, object]) => `${object} refs/tags/${name}\n`).join(""));
  write("objects/info/alternates", `${join(store.folder, "objects")}\n`);
  write("info/attributes", plainAttributes);
  if (history.isShallow && history.head !== null) write("shallow", `${history.head}\n`);
  const bytes = readBytesFile(join(store.folder, index), { bytesMax: indexBytesMax, links: "refuse" });
  if (bytes !== null) write("index", bytes);
}

/** Suites that commit need somebody to commit as. */
const identity = "[user]\n\tname = ralph\n\temail = ralph@localhost\n";

function isBranch(name: string): boolean {
  return /^[\w][\w./+@-]*$/.test(name) && !/\.\.|\/\/|@\{|\.lock(?:\/|$)|[./]$|\/\./.test(name);
}
