import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Deeper folders than this are not entered: no project nests so far, and a loop of mounts would never end. */
const depthMax = 64;

/**
 * Every regular file below a folder, without entering folders of the names in `skip`. Links are not followed; a folder
 * that cannot be read has no files. Written out because hooks run on Node 18, whose `readdir` has no `recursive`.
 */
export async function listFiles(folder: string, skip: ReadonlySet<string>, depth = 0): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const paths: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile()) paths.push(path);
    if (entry.isDirectory() && depth < depthMax && !skip.has(entry.name))
      for (const below of await listFiles(path, skip, depth + 1)) paths.push(below);
  }
  return paths;
}
