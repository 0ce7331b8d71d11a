import { realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { thrownText } from "../../core/text/thrown-text.ts";

/** The real folder of a path relative to a work tree, or why it may not be used: links must not lead out (CW-2I). */
export async function folderInside(
  directory: string,
  relative: string,
): Promise<{ folder: string } | { problem: string }> {
  try {
    const root = await realpath(directory);
    const folder = await realpath(join(root, relative));
    if (folder !== root && !folder.startsWith(root + sep))
      return { problem: `working_dir "${relative}" leaves the work tree` };
    if (!(await stat(folder)).isDirectory()) return { problem: `working_dir "${relative}" is not a folder` };
    return { folder };
  } catch (error) {
    return {
      problem: `working_dir "${relative}" cannot be used: ${thrownText(error)}`,
    };
  }
}
