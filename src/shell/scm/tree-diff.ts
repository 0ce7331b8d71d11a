import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { lstat, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTextFile } from "../read-text-file.ts";

/** What changed in a work tree since a commit, new files too. `isWhole` false: there is more than the limit. */
export type TreeDiff = { text: string; isWhole: boolean };

/** A diff that is searched as a whole; a larger one is no longer a change but a data set. */
const diffBytesMax = 16 * 1024 * 1024;
const filesMax = 2000;

/** Files that hold secrets by their name; their content is shown to nobody. */
const secretFiles = ["**/.env", "**/.env.*", "**/*.pem", "**/*.key", "**/id_rsa*", "**/.npmrc", "**/.netrc"];

/** The changes since `commit`, or since nothing where it is null; null outside a repository. */
export async function treeDiff(directory: string, commit: string | null): Promise<TreeDiff | null> {
  const hidden = secretFiles.map((pattern) => `:(exclude,glob)${pattern}`);
  return withIndex(directory, commit, async (git, base) => {
    // As text, always: an attribute or one NUL byte would else hide a file from whoever reads the changes.
    const options = ["--cached", "--no-ext-diff", "--no-textconv", "--no-color", "--text"];
    const output = await git(["diff", ...options, base, "--", ".", ":!.ralph", ...hidden]);
    return output === null ? null : { text: output.bytes.toString("utf8"), isWhole: output.isWhole };
  });
}

/** The content of every file changed since `commit` that is still there; null outside a repository. */
export async function changedFiles(directory: string, commit: string | null): Promise<TreeDiff | null> {
  const output = await withIndex(directory, commit, (git, base) =>
    git(["diff", "--cached", "--name-only", "-z", "--relative", "--diff-filter=d", base, "--", ".", ":!.ralph"]),
  );
  if (output === null) return null;
  const names = output.bytes
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
  const texts: string[] = [];
  let bytes = 0;
  let isReadable = true;
  for (const name of names.slice(0, filesMax)) {
    const path = join(directory, name);
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

type Output = { bytes: Buffer; isWhole: boolean };
type Git = (args: string[]) => Promise<Output | null>;

/** Calls with an index of its own that holds the work tree, so that the user's index stays as it is. */
async function withIndex<Result>(
  directory: string,
  commit: string | null,
  use: (git: Git, base: string) => Promise<Result | null>,
): Promise<Result | null> {
  const index = join(tmpdir(), `ralph-index-${randomUUID()}`);
  const git: Git = (args) => runGit(directory, index, args);
  try {
    if ((await git(["add", "-A", "--", ".", ":!.ralph"])) === null) return null;
    const base = commit ?? (await git(["hash-object", "-t", "tree", "/dev/null"]))?.bytes.toString("utf8").trim();
    return base === undefined ? null : await use(git, base);
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

/** Null when git is missing or fails. */
function runGit(directory: string, index: string, args: string[]): Promise<Output | null> {
  return new Promise((resolve) => {
    const child = spawn("git", ["-C", directory, ...args], {
      env: { ...process.env, GIT_INDEX_FILE: index },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      if (bytes <= diffBytesMax) chunks.push(chunk);
      bytes += chunk.length;
    });
    child.once("error", () => resolve(null));
    child.once("close", (code) => {
      resolve(code === 0 ? { bytes: Buffer.concat(chunks), isWhole: bytes <= diffBytesMax } : null);
    });
  });
}
