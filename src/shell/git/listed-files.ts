import type { Link } from "./inner-repositories.ts";

/** Lists the paths of the index and those that git neither knows nor ignores, in one call. */
export const listingWords: readonly string[] = ["ls-files", "-v", "--stage", "--others", "--exclude-standard", "-z"];

/** Lists only those that git neither knows nor ignores. */
export const othersWords: readonly string[] = ["ls-files", "-t", "--others", "--exclude-standard", "-z"];

/** A path of an index. `tag` is git's letter: `H` for a file that is as git expects; `facts` are its mode and object. */
export type IndexEntry = { tag: string; facts: string; path: string };

/** What such a call lists. A path of `others` with a slash at its end is a repository inside this one. */
export type ListedFiles = { entries: IndexEntry[]; others: string[] };

/** Reads what git printed. */
export function readListing(text: string): ListedFiles {
  const lines = linesOf(text);
  return {
    others: lines.filter((line) => line.startsWith("? ")).map((line) => line.slice(2)),
    entries: lines.filter((line) => !line.startsWith("? ")).map(readEntry),
  };
}

/** The parts between the zero bytes. */
export function linesOf(text: string): string[] {
  return text.split("\0").filter((line) => line !== "");
}

/** The submodules among them. */
export function linksAmong(entries: readonly IndexEntry[]): Link[] {
  return entries.flatMap(({ facts, path }) =>
    facts.startsWith(linkMode) ? [{ path, commit: facts.slice(linkMode.length) }] : [],
  );
}

const linkMode = "160000 ";

/** `H 100644 <object> 0<tab>path`. */
function readEntry(line: string): IndexEntry {
  const tab = line.indexOf("\t");
  const [tag = "", mode = "", object = ""] = line.slice(0, tab).split(" ");
  return { tag, facts: `${mode} ${object}`, path: line.slice(tab + 1) };
}
