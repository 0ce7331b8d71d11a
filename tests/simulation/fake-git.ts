import { createHash } from "node:crypto";
import { assert } from "../../src/core/assert.ts";
import type { ProcessOrder } from "../../src/shell/ports.ts";
import type { Act } from "./agent-acts.ts";
import type { FakeFiles } from "./fake-files.ts";
import { gitWords } from "./git-words.ts";

/** A repository on the simulated disk, as small as a run on a task list needs it. */
export type FakeGit = {
  /** One call; nothing happens before it begins to speak. */
  act(order: Pick<ProcessOrder, "argv" | "env" | "stdin">): Act;
  /** Commits every file, as agents do. */
  commitAll(): void;
};

/** Paths with their contents. */
type Tree = ReadonlyMap<string, string>;

type Repository = {
  files: FakeFiles;
  top: string;
  /** Trees and commits by name; a name stands for one content for ever. */
  known: Map<string, Tree>;
  names: Map<string, string>;
  indexes: Map<string, Tree>;
  head: string;
};

/** Git knows it without an object. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** A repository whose first commit holds the files that are there. */
export function createFakeGit(files: FakeFiles, top: string): FakeGit {
  const known = new Map([[emptyTree, new Map<string, string>()]]);
  const git: Repository = { files, top, known, names: new Map(), indexes: new Map(), head: "" };
  const commitAll = (): void => {
    commit(git, workTree(git));
    git.indexes.set("", treeOf(git, "HEAD"));
  };
  files.put(`${top}/.git/HEAD`, Buffer.from("ref: refs/heads/main\n"));
  commitAll();
  return {
    commitAll,
    act({ argv, env, stdin }) {
      const act: Act = {
        name: "git",
        lines: () => {
          const index = env["GIT_INDEX_FILE"] ?? "";
          const answer = answerTo(git, { index, words: gitWords(argv) ?? [], input: String(stdin ?? "") });
          act.exitCode = answer === null ? 1 : 0;
          return [answer ?? ""];
        },
      };
      return act;
    },
  };
}

/** What a call prints; null: it fails. A call that nobody foresaw is a fault of the simulation. */
function answerTo(git: Repository, { index, words, input }: Asked): string | null {
  const staged = (): Tree => git.indexes.get(index) ?? new Map();
  const [command = ""] = words;
  const isAbout = (word: string): boolean => words.includes(word);
  switch (command) {
    case "rev-parse":
      return git.head;
    case "config":
      return "";
    case "ls-files":
      // Nothing is ignored here but ralph's own folder, so whether git knows a file makes no difference.
      if (isAbout("--ignored")) return "";
      return isAbout("--others") ? [...workTree(git).keys()].map((path) => `? ${path}\0`).join("") : named(staged());
    case "check-ignore":
      // With 1 git says that no path is ignored.
      return null;
    case "update-index":
      return updateIndex(git, { index, staged: staged(), words, input });
    case "add":
      git.indexes.set(
        index,
        changed(staged(), [...staged().keys()], (path) => workTree(git).get(path)),
      );
      return "";
    case "write-tree":
      return nameOf(git, staged());
    case "diff-tree":
      return changesBetween(git, words);
    case "diff": {
      const path = words.find((word) => word.startsWith("--output="))?.slice("--output=".length) ?? "";
      git.files.put(path, Buffer.from(changesBetween(git, words)));
      return "";
    }
    case "rm":
      return remove(git, { index, staged: staged(), words, input });
    case "checkout":
    case "restore":
      return restore(git, { index, staged: staged(), words, input });
    case "commit": {
      const now = workTree(git);
      commit(
        git,
        changed(treeOf(git, "HEAD"), namedPaths(git, words, input), (path) => now.get(path)),
      );
      return "";
    }
    default:
      throw new Error(`the simulated git does not know: git ${words.join(" ")}`);
  }
}

/** Files that git looks at: `.ralph/` ignores itself, and `.git/` is git's. */
function workTree({ files, top }: Repository): Tree {
  const found: [string, string][] = [];
  const walk = (folder: string): void => {
    for (const { name, kind } of files.list(folder) ?? []) {
      const path = `${folder}/${name}`;
      if (kind === "folder" && path !== `${top}/.ralph` && path !== `${top}/.git`) walk(path);
      if (kind === "file") found.push([path.slice(top.length + 1), files.text(path) ?? ""]);
    }
  };
  walk(top);
  return new Map(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function nameOf(git: Repository, tree: Tree): string {
  const content = JSON.stringify([...tree]);
  const name = git.names.get(content) ?? `tree${git.names.size}`;
  git.names.set(content, name);
  git.known.set(name, tree);
  return name;
}

function commit(git: Repository, tree: Tree): void {
  git.head = `commit${git.known.size}`;
  git.known.set(git.head, tree);
}

function treeOf(git: Repository, name: string): Tree {
  const tree = git.known.get(name === "HEAD" ? git.head : name);
  assert(tree !== undefined, `the simulated git knows the tree ${name}`);
  return tree;
}

/** In the format of `diff-tree -z`, by names, with their status or raw, of the two trees before `--` and the paths after it. */
function changesBetween(git: Repository, words: readonly string[]): string {
  const end = words.includes("--") ? words.indexOf("--") : words.length;
  const isRaw = words.includes("--raw");
  const hasStatus = !isRaw && !words.includes("--name-only");
  const [from, to] = words.slice(end - 2, end).map((name) => treeOf(git, name));
  assert(from !== undefined && to !== undefined, "two trees are compared");
  const paths = [...new Set([...from.keys(), ...to.keys()])].filter((path) => isMeant(path, words.slice(end + 1)));
  return paths
    .filter((path) => from.get(path) !== to.get(path))
    .map(
      (path) =>
        `${isRaw ? rawFacts(from.get(path), to.get(path)) : ""}${hasStatus ? `${letter(from.has(path), to.has(path))}\0` : ""}${path}\0`,
    )
    .join("");
}

/** `:MODE MODE OBJECT OBJECT STATUS`; every path is an ordinary file. */
function rawFacts(before: string | undefined, after: string | undefined): string {
  const mode = (content: string | undefined): string => (content === undefined ? "000000" : "100644");
  const objects = [before, after].map(objectOf).join(" ");
  return `:${mode(before)} ${mode(after)} ${objects} ${letter(before !== undefined, after !== undefined)}\0`;
}

function objectOf(content: string | undefined): string {
  if (content === undefined) return "0".repeat(40);
  return createHash("sha1")
    .update(`blob ${Buffer.byteLength(content)}\0${content}`)
    .digest("hex");
}

function letter(isBefore: boolean, isAfter: boolean): string {
  if (!isBefore) return "A";
  return isAfter ? "M" : "D";
}

/** Only what is excluded matters: everything else is asked for by the top. */
function isMeant(path: string, specs: readonly string[]): boolean {
  const excluded = specs.filter((spec) => spec.startsWith(":(exclude"));
  return !excluded.some((spec) => {
    const name = spec
      .replace(/^:\([^)]*\)/, "")
      .replace(/^\*\*\//, "")
      .replace(/\/\*\*$/, "");
    return `/${path}/`.includes(`/${name}/`) && (spec.includes("**") || path === name || path.startsWith(`${name}/`));
  });
}

/** Paths by `--pathspec-from-file`, or after `--` with everything below them. */
function namedPaths(git: Repository, words: readonly string[], input: string): string[] {
  if (words.includes("--pathspec-from-file=-"))
    return input.split("\0").map((spec) => spec.replace(":(top,literal)", ""));
  const folders = words.slice(words.indexOf("--") + 1);
  const all = [...new Set([...git.indexes.values()].flatMap((tree) => [...tree.keys()]))];
  return all.filter((path) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`)));
}

function changed(tree: Tree, paths: readonly string[], contentOf: (path: string) => string | undefined): Tree {
  const next = new Map(tree);
  for (const path of paths) {
    const content = contentOf(path);
    if (content === undefined) next.delete(path);
    else next.set(path, content);
  }
  return next;
}

type Asked = { index: string; words: readonly string[]; input: string };
type Call = Asked & { staged: Tree };

/** Takes files as they are. `--index-info` forgets the paths without a mode; what the others hold is taken by `add`. */
function updateIndex(git: Repository, { index, staged, words, input }: Call): string {
  const isInfo = words.includes("--index-info");
  const lines = input.split("\0").filter((line) => line !== "");
  const gone = new Set(lines.filter((line) => isInfo && line.startsWith("0 ")).map(pathOf));
  const files = workTree(git);
  git.indexes.set(
    index,
    changed(staged, isInfo ? lines.map(pathOf) : lines, (path) => (gone.has(path) ? undefined : files.get(path))),
  );
  git.files.put(index, Buffer.from("an index"));
  return "";
}

/** `MODE OBJECT STAGE<tab>path`. */
function pathOf(line: string): string {
  return line.slice(line.indexOf("\t") + 1);
}

function named(tree: Tree): string {
  return [...tree.keys()].map((path) => `${path}\0`).join("");
}

function remove(git: Repository, { index, staged, words, input }: Call): string {
  const paths = namedPaths(git, words, input);
  git.indexes.set(
    index,
    changed(staged, paths, () => undefined),
  );
  if (!words.includes("--cached")) for (const path of paths) git.files.remove(`${git.top}/${path}`);
  return "";
}

/** `checkout COMMIT` brings back index and files, `restore` one of them. */
function restore(git: Repository, { index, staged, words, input }: Call): string {
  const option = words.find((word) => word.startsWith("--source="));
  const source = words[0] === "checkout" ? (words[2] ?? "") : (option?.slice("--source=".length) ?? "HEAD");
  const tree = treeOf(git, source);
  const paths = namedPaths(git, words, input);
  const isOfFiles = words[0] === "checkout" || words.includes("--worktree");
  if (words[0] === "checkout" || words.includes("--staged"))
    git.indexes.set(
      index,
      changed(staged, paths, (path) => tree.get(path)),
    );
  if (!isOfFiles) return "";
  for (const path of paths) {
    const content = tree.get(path);
    if (content === undefined) git.files.remove(`${git.top}/${path}`);
    else git.files.put(`${git.top}/${path}`, Buffer.from(content));
  }
  return "";
}
