import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files; it goes after the test. */
export function openFolder(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-library-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  // A supervised task writes beside its folder, too: the bus of its project.
  const folder = join(root, "folder");
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}
