import { isGlobMatch } from "../../guard/facts/glob-match.ts";

/** Alternatives that the braces of one glob may stand for; a glob with more matches as it is written. */
const alternativesMax = 256;

/**
 * Makes a test for paths from the top of a tree. A glob without a slash is the name of a file or of a folder anywhere; one with a
 * slash counts from the top. A folder stands for everything below it. `*` and `?` stay inside a name, `**` is any number of
 * folders, `{a,b}` is either. The steps are bounded by path times glob.
 */
export function matchPaths(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.flatMap(expandBraces).map(segmentsOf);
  const isName = matchNames(patterns.filter(isNamePattern).map(([, name = ""]) => name));
  const ways = patterns.filter((pattern) => !isNamePattern(pattern));
  return (path) => {
    const names = path.split("/");
    return names.some(isName) || ways.some((pattern) => isWayMatch(names, pattern));
  };
}

/** `**`, a name, `**`: most globs are of this kind, and most paths of a tree share their names. */
function isNamePattern(pattern: readonly string[]): boolean {
  return pattern.length === 3 && pattern[0] === "**" && pattern[1] !== "**" && pattern[2] === "**";
}

/** Names whose answer is remembered; a tree with more different ones asks again. */
const rememberedMax = 20_000;

function matchNames(globs: readonly string[]): (name: string) => boolean {
  const exact = new Set(globs.filter((glob) => !/[*?]/.test(glob)));
  const open = globs.filter((glob) => !exact.has(glob));
  const known = new Map<string, boolean>();
  return (name) => {
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    const isMatch = exact.has(name) || open.some((glob) => isGlobMatch(name, glob));
    if (known.size < rememberedMax) known.set(name, isMatch);
    return isMatch;
  };
}

/** `a{b,c}` as `ab` and `ac`. */
export function expandBraces(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    const [whole, inner] = /\{([^{}]*,[^{}]*)\}/.exec(text) ?? [];
    if (whole === undefined || inner === undefined) done.push(text);
    else for (const each of inner.split(",").toReversed()) open.push(text.replace(whole, () => each));
    if (open.length + done.length > alternativesMax) return [glob];
  }
  return done;
}

function segmentsOf(glob: string): string[] {
  const isAnchored = glob.replace(/\/+$/, "").includes("/");
  const names = glob.split("/").filter((name) => name !== "" && name !== ".");
  const segments = [...(isAnchored ? [] : ["**"]), ...names, "**"];
  return segments.filter((segment, index) => segment !== "**" || segments[index - 1] !== "**");
}

/** As `isGlobMatch`, with names in place of letters and `**` in place of the star. The last `**` stands for nothing, too. */
function isWayMatch(names: readonly string[], pattern: readonly string[]): boolean {
  let [at, next] = [0, 0];
  let star: { pattern: number; name: number } | null = null;
  while (at < names.length) {
    const segment = pattern[next];
    if (segment === "**") {
      star = { pattern: next, name: at };
      next += 1;
    } else if (segment !== undefined && isGlobMatch(names[at] ?? "", segment)) {
      at += 1;
      next += 1;
    } else if (star !== null) {
      star = { pattern: star.pattern, name: star.name + 1 };
      at = star.name;
      next = star.pattern + 1;
    } else return false;
  }
  return pattern.slice(next).every((segment) => segment === "**");
}
