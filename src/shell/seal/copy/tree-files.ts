import type { MergedManifest } from "../../../core/verification/protect/merge-manifest.ts";
import { mergeManifest } from "../../../core/verification/protect/merge-manifest.ts";
import type { Protections } from "../../../core/verification/protect/protection.ts";
import {
  type SealedFile,
  sealedTree,
  type SealedTree,
  type TreeFile,
  type TreeFiles,
} from "../../../core/verification/protect/sealed-tree.ts";
import type { SealStore } from "./seal-store.ts";

/** The files of a tree in a seal's store. Rejects when the tree is not there. */
export async function listTree(store: SealStore, tree: string): Promise<TreeFiles> {
  const { stdout } = await store.call(["ls-tree", "-r", "-z", "--full-tree", tree]);
  const lines = stdout.split("\0").filter((line) => line !== "");
  return new Map(
    lines.map((line): [string, TreeFile] => {
      const tab = line.indexOf("\t");
      const [mode = "", , object = ""] = line.slice(0, tab).split(" ");
      return [line.slice(tab + 1), { mode, object }];
    }),
  );
}

/** The text of a file in a seal's store. */
export async function readObject(store: SealStore, object: string): Promise<string> {
  return (await store.call(["cat-file", "blob", object])).stdout;
}

/** Adding 60 MB of text refuses a claim: nobody can read it, either. */
const differenceWords = "diff-tree -r -p -U0 --find-renames --text --no-ext-diff --no-textconv --no-color".split(" ");

/** How two trees differ, in all files or in some, as a patch without context. A file that was only renamed adds no line. */
export async function readDifference(
  store: SealStore,
  { from, to, files = [] }: { from: string; to: string; files?: readonly string[] },
): Promise<string> {
  const paths = files.map((path) => `:(literal,top)${path}`);
  return (await store.call([...differenceWords, from, to, ...(paths.length === 0 ? [] : ["--", ...paths])])).stdout;
}

/** Which tree a sealed copy gets. */
export type SealedTreeRequest = { base: string; candidate: string; protections: Protections; variant: "A" | "B" };

/** A tree that was written, and how it differs from the candidate. */
export type WrittenTree = SealedTree & { tree: string };

/** Writes the tree that a sealed copy holds. Rejects when git cannot, or an object is not what its name says. */
export async function writeSealedTree(store: SealStore, order: SealedTreeRequest): Promise<WrittenTree> {
  const [base, candidate] = [await listTree(store, order.base), await listTree(store, order.candidate)];
  const sealed = sealedTree({ base, candidate, protections: order.protections, variant: order.variant });
  const files = await Promise.all(sealed.files.map((file) => asWritten(store, file)));
  const isThere = files.filter((file) => file !== null);
  const changes = changesOf(candidate, isThere);
  if (changes === "") return { ...sealed, files: isThere, tree: order.candidate };
  return { ...sealed, files: isThere, tree: await writeTree(store, { tree: order.candidate, changes }) };
}

/** Writes a tree that differs from another one in lines for `update-index`. One at a time uses the index. */
export function writeTree(store: SealStore, { tree, changes }: { tree: string; changes: string }): Promise<string> {
  return store.inTurn(async () => {
    const place = { index: "tree.index" };
    await store.call(["read-tree", tree], place);
    await store.call(["update-index", "-z", "--index-info"], { ...place, stdin: changes });
    return (await store.call(["write-tree"], place)).stdout.trim();
  });
}

/** A merged manifest becomes an object of its own; null: there is nothing to write. */
async function asWritten(store: SealStore, file: SealedFile): Promise<SealedFile | null> {
  if (file.from !== "merged") return file;
  const base = file.baseObject === null ? null : await readObject(store, file.baseObject);
  const pair = { base, candidate: await readObject(store, file.object) };
  const { text }: MergedManifest = mergeManifest(file.path, pair, file.keys);
  if (text === null) return null;
  const { stdout } = await store.call(["hash-object", "-w", "--stdin", "--no-filters"], { stdin: text });
  return { ...file, object: stdout.trim() };
}

/** What turns the index of the candidate into that of the sealed tree; removals first, so that files and folders may swap. */
function changesOf(candidate: TreeFiles, files: readonly SealedFile[]): string {
  const wanted = new Map(files.map((file) => [file.path, file]));
  const gone = [...candidate.keys()].filter((path) => !wanted.has(path));
  const none = "0".repeat([...candidate.values()][0]?.object.length ?? 40);
  const set = files.filter(({ path, mode, object }) => {
    const now = candidate.get(path);
    return now === undefined || now.object !== object || now.mode !== mode;
  });
  const removals = gone.map((path) => `0 ${none}\t${path}\0`);
  return [...removals, ...set.map(({ mode, object, path }) => `${mode} ${object} 0\t${path}\0`)].join("");
}
