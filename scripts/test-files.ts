import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Fault } from "./fault.ts";
import { idsIn, isId } from "./requirement-ids.ts";

/** A test file with what its text and the texts of its helpers say. */
export type TestFile = { path: string; text: string; ids: Set<string>; usesBundle: boolean };

/** Every test file below `src` and `tests`. Helpers count as part of it: some of them define tests with titles of their own. */
export function readTestFiles(root: string): TestFile[] {
  const readers = { texts: new Map<string, string>(), root };
  return ["src", "tests"]
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => path.endsWith(".test.ts"))
    .toSorted()
    .map((path) => describeFile(path, readers));
}

/** Whether the file may hold a test that the fault concerns. Titles made from table rows are known only once it is loaded. */
export function mayConcern(fault: Fault, file: TestFile): boolean {
  const isChosen = fault.tests?.some((filter) => file.path.includes(filter) || file.text.includes(filter)) ?? true;
  // An id stands in the text as in the title; the words of an invariant may come from a row.
  if (isId(fault.breaks)) return isChosen && file.ids.has(fault.breaks);
  return isChosen && (fault.tests !== null || file.text.includes(fault.breaks));
}

type Readers = { root: string; texts: Map<string, string> };

function describeFile(path: string, readers: Readers): TestFile {
  const found = new Set<string>();
  gather(path, readers, found);
  const text = [...found].map((name) => readers.texts.get(name)).join("\n");
  return { path, text, ids: new Set(idsIn(text)), usesBundle: bundleNames.test(text) };
}

/** The file and the helpers it imports, theirs too. Product modules define no tests. */
function gather(path: string, readers: Readers, found: Set<string>): void {
  if (found.has(path)) return;
  const text = readers.texts.get(path) ?? readText(join(readers.root, path));
  if (text === null) return;
  readers.texts.set(path, text);
  found.add(path);
  for (const [, target = ""] of text.matchAll(relativeImport)) {
    const next = join(dirname(path), target).replaceAll("\\", "/");
    if (next.startsWith("tests/")) gather(next, readers, found);
  }
}

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

const relativeImport = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g;
/** How a test reaches the built program: through the launcher, or as a file of `dist`. */
const bundleNames = /\bralph\.js\b|["'`/]dist["'`/]|\bbuild\.js\b/;
