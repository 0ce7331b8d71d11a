import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A file of the repository, by its path from the root with forward slashes. */
export type SourceFile = { path: string; text: string };

/** Every file a commit would hold. The names left out are those of .gitignore. */
export function readRepository(root: string): SourceFile[] {
  return filesBelow(root, "").map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Whether a file is written by hand in one of our languages. */
export function isCode(file: SourceFile): boolean {
  const isMade = made.includes(file.path) || file.path.startsWith("tests/fixtures/");
  return /\.(ts|tsx|js|cjs|mjs)$/.test(file.path) && !isMade;
}

/** Files that a script writes, in one of our languages. */
const made = ["docs/api.d.ts"];

/** Whether a file is part of the product: source that is not a test. */
export function isProduct(file: SourceFile): boolean {
  return file.path.startsWith("src/") && isCode(file) && !isTest(file);
}

/** Whether a file holds tests. */
export function isTest(file: SourceFile): boolean {
  return /\.test\.tsx?$/.test(file.path);
}

const leftOut = new Set(["node_modules", ".git", "dist", "coverage", ".cache", ".ralph"]);

function filesBelow(root: string, folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (leftOut.has(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(root, path);
    return entry.isFile() && !/\.(?:tsbuildinfo|tgz)$/.test(entry.name) ? [path] : [];
  });
}
