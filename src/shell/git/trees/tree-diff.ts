import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { wholeTree } from "./candidate.ts";
import type { GitCaller } from "../git.ts";
import { type LookContext, withStore } from "./look.ts";
import { readTextFile } from "../../lib/read-text-file.ts";

/** What changed in a work tree since a commit, new files too. `isWhole` false: there is more than the limit. */
export type TreeDiff = { text: string; isWhole: boolean };

/** The largest diff that is searched; a larger one is a data set, not a change. */
const diffBytesMax = 16 * 1024 * 1024;
const filesMax = 2000;

/** Files that hold secrets by their name; their content is shown to nobody. */
const secretFiles = ["**/.env", "**/.env.*", "**/*.pem", "**/*.key", "**/id_rsa*", "**/.npmrc", "**/.netrc"];

/** The changes since `commit`, or since nothing where it is null; null outside a repository. */
export function treeDiff(context: LookContext, commit: string | null): Promise<TreeDiff | null> {
  const hidden = secretFiles.map((pattern) => `:(exclude,glob)${pattern}`);
  // As text, always: an attribute or one NUL byte would else hide a file from whoever reads the changes.
  const options = ["--no-ext-diff", "--no-textconv", "--no-color", "--text"];
  return compare(context, commit, { options, paths: [".", ":!.ralph", ...hidden] });
}

/** The content of every file changed since `commit` that is still there; null outside a repository. */
export async function changedFiles(context: LookContext, commit: string | null): Promise<TreeDiff | null> {
  const options = ["--name-only", "-z", "--relative", "--diff-filter=d"];
  const output = await compare(context, commit, { options, paths: [".", ":!.ralph"] });
  if (output === null) return null;
  const names = output.text.split("\0").filter((name) => name !== "");
  const texts: string[] = [];
  let bytes = 0;
  let isReadable = true;
  for (const name of names.slice(0, filesMax)) {
    const path = join(context.frozen.projectDir, name);
    const facts = await lstat(path).catch(() => null);
    if (facts === null || !facts.isFile()) continue;
    bytes += facts.size;
    if (bytes > diffBytesMax) break;
    const text = readOrNull(path);
    if (text === null) isReadable = false;
    else texts.push(text);
  }
  const isWhole = isReadable && output.isWhole && names.length <= filesMax && bytes <= diffBytesMax;
  return { text: texts.join("\n"), isWhole };
}

function readOrNull(path: string): string | null {
  try {
    return readTextFile(path, { bytesMax: diffBytesMax, links: "refuse" });
  } catch {
    // It changed since it was looked at, or may not be read.
    return null;
  }
}

/** Compares the work tree with a commit; null when git cannot. */
async function compare(
  context: LookContext,
  commit: string | null,
  { options, paths }: { options: readonly string[]; paths: readonly string[] },
): Promise<TreeDiff | null> {
  const caller: GitCaller = { turnMarker: `${context.runId}.diff/${process.pid}` };
  return withStore(context, caller, async (store) => {
    const { env } = store.store;
    const { tree } = await wholeTree(store);
    const nothing = await store.git(["hash-object", "-t", "tree", "/dev/null"], { env });
    const words = ["diff", ...options, commit ?? nothing.stdout.trim(), tree, "--", ...paths];
    const end = await store.git(words, { env, stdoutBytesMax: diffBytesMax });
    return end.exitCode === 0 ? { text: end.stdout, isWhole: end.isWhole } : null;
  }).catch(() => null);
}
