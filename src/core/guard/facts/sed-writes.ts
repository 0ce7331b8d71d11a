/**
 * The files that a line of a sed script writes: `w file`, `/x/w file`, `s/a/b/gw file`. It takes time that grows with the length
 * of the line: a line that keeps the guard busy would pass unjudged.
 */
export function sedWrites(line: string): string[] {
  const ofCommand = /^(?:(?:\d+|\$|\/[^/]*\/)(?:,(?:\d+|\$|\/[^/]*\/))?!?\s*)?(?:\{\s*)?[wW]\s+(\S+)/.exec(
    line.trimStart(),
  )?.[1];
  const found = ofCommand === undefined ? [] : [ofCommand];
  for (const match of takeSome(line.matchAll(/w\s+(\S+)/g))) {
    const [, path = ""] = match;
    if (endsSubstitution(line.slice(0, match.index))) found.push(path);
  }
  return found;
}

/** More `w` with a word behind it than a line of a script has. */
const writesMax = 1_000;

function takeSome<Item>(items: Iterable<Item>): Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (taken.length === writesMax) break;
    taken.push(item);
  }
  return taken;
}

/** More flags than a substitution has. */
const flagsMax = 8;

/** Whether a text ends behind `s/a/b/` and its flags. Any character may separate the parts, so each end is tried. */
function endsSubstitution(text: string): boolean {
  for (let flags = 0; flags <= flagsMax && flags < text.length; flags += 1) {
    const end = text.length - flags;
    if (!/^[gIpiMme\d]*$/.test(text.slice(end))) return false;
    const separator = text[end - 1] ?? "";
    const begin = text.indexOf(`s${separator}`);
    const middle = begin === -1 ? -1 : text.indexOf(separator, begin + 2);
    if (middle !== -1 && middle < end - 1) return true;
  }
  return false;
}
