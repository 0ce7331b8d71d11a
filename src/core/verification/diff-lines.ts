/** A line that a change adds: where it stands in the new file. */
export type AddedLine = { path: string; line: number; text: string };

/**
 * The added lines of a unified diff of git. Lengths of hunks decide what is a header, so content that looks like one is
 * content; names in quotes are read byte by byte.
 */
export function addedLines(diff: string): AddedLine[] {
  const found: AddedLine[] = [];
  let path: string | null = null;
  let hunk = { line: 0, removed: 0, added: 0 };
  for (const text of diff.split("\n")) {
    if (hunk.removed > 0 || hunk.added > 0) {
      hunk = readLine(text, path, { hunk, found });
      continue;
    }
    if (text.startsWith("+++ ")) path = readPath(text.slice(4));
    else if (text.startsWith("diff --git ")) path = null;
    const [, removed, line, added] = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text) ?? [];
    if (line !== undefined) hunk = { line: Number(line), removed: Number(removed ?? 1), added: Number(added ?? 1) };
  }
  return found;
}

type Hunk = { line: number; removed: number; added: number };

function readLine(text: string, path: string | null, { hunk, found }: { hunk: Hunk; found: AddedLine[] }): Hunk {
  if (text.startsWith("\\")) return hunk;
  if (text.startsWith("-")) return { ...hunk, removed: hunk.removed - 1 };
  if (!text.startsWith("+")) return { line: hunk.line + 1, removed: hunk.removed - 1, added: hunk.added - 1 };
  if (path !== null) found.push({ path, line: hunk.line, text: text.slice(1).replace(/\r$/, "") });
  return { ...hunk, line: hunk.line + 1, added: hunk.added - 1 };
}

/** `b/name`, with a tab after it when it holds spaces, or in quotes with escapes; null for a removed file. */
function readPath(written: string): string | null {
  const isQuoted = written.startsWith('"');
  const name = isQuoted ? unquote(written.slice(1, written.lastIndexOf('"'))) : written.replace(/\t$/, "");
  return name === "/dev/null" ? null : name.replace(/^b\//, "");
}

function unquote(text: string): string {
  const bytes = text.replaceAll(
    /%|\\([0-7]{3})|\\(.)/g,
    (all, octal: string | undefined, letter: string | undefined) => {
      if (all === "%") return "%25";
      if (octal !== undefined) return `%${(Number.parseInt(octal, 8) % 256).toString(16).padStart(2, "0")}`;
      return escapes.get(letter ?? "") ?? letter ?? "";
    },
  );
  try {
    return decodeURIComponent(bytes);
  } catch {
    // Not UTF-8: the bytes stay as they are written, which names no other file.
    return text;
  }
}

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
]);
