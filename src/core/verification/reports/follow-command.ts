import { parseScript } from "../../guard/syntax/parse-script.ts";
import type { Command, Word } from "../../guard/syntax/script.ts";
import { isObject } from "../../text/is-object.ts";
import { readRecipe } from "./make-recipe.ts";

/** Reads a file of the project by its path; null when there is none. */
export type ProjectFiles = (path: string) => string | null;

/** One program with its arguments, as a check runs it in the end. */
export type FollowedCommand = {
  words: string[];
  /** Names of variables that are set just for it. */
  variables: string[];
  /** What must stand before arguments that are added to the end of the check; null when they cannot reach the program. */
  toArguments: string[] | null;
  /** The check names the program itself, not through a script or a recipe. */
  isDirect: boolean;
};

/** Scripts that call scripts: more levels than any project has. */
const levelsMax = 6;

/**
 * Follows a check to the programs it runs: through scripts of package.json (npm, pnpm, yarn) and recipes of a Makefile. Null: it
 * cannot be followed, because it changes the folder, pipes its output or is computed.
 */
export function followCommand(command: string, files: ProjectFiles): FollowedCommand[] | null {
  return follow(command, { files, level: 0, toArguments: [] });
}

type Way = { files: ProjectFiles; level: number; toArguments: string[] | null };

function follow(text: string, way: Way): FollowedCommand[] | null {
  const { script, failure } = parseScript(text, { stepsLeft: 20_000, depth: 0, failure: null });
  if (failure !== null || way.level > levelsMax) return null;
  const found: FollowedCommand[] = [];
  for (const [index, { commands, isBackground }] of script.entries()) {
    const [first] = commands;
    if (first === undefined || commands.length > 1 || isBackground) return null;
    const simple = readSimple(first);
    if (simple === null) return null;
    const isLast = index === script.length - 1;
    const inner = followWords(simple, { ...way, toArguments: isLast ? way.toArguments : null });
    if (inner === null) return null;
    found.push(...inner);
  }
  return found;
}

type Simple = { words: string[]; variables: string[] };

function readSimple(command: Command): Simple | null {
  if (command.type !== "simple") return null;
  const words = command.words.map(textOf);
  // A redirect of its output takes lines away that a report may need.
  if (words.includes(null) || command.redirects.some(({ operator }) => operator.includes(">"))) return null;
  return {
    words: words.filter((word) => word !== null),
    variables: command.assignments.map(({ name }) => name),
  };
}

/** Null: the word is computed. */
function textOf(word: Word): string | null {
  const parts = word.map((part) => (part.type === "text" ? part.text : null));
  return parts.includes(null) ? null : parts.join("");
}

function followWords(simple: Simple, way: Way): FollowedCommand[] | null {
  const { words, variables } = unwrap(simple);
  const [program = "", ...rest] = words;
  if (["cd", "pushd", "eval", "source", "."].includes(program)) return null;
  if (program === "make" || program === "gmake") return followMake(rest, way);
  const script = scriptOf(program, rest);
  if (script === null)
    return [{ words, variables, toArguments: way.toArguments, isDirect: way.level === 0 && way.toArguments !== null }];
  const text = readScripts(way.files)[script.name];
  if (typeof text !== "string") return null;
  const toArguments = way.toArguments === null ? null : [...way.toArguments, ...script.toArguments];
  const before = readScripts(way.files)[`pre${script.name}`];
  if (typeof before === "string" && followsRunner(before)) return null;
  const given =
    script.given.length > 0
      ? ` ${script.given.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ")}`
      : "";
  return follow(text + given, { ...way, level: way.level + 1, toArguments });
}

/** A script before the script would run with the same variables. */
function followsRunner(text: string): boolean {
  return /\b(?:vitest|jest|mocha|playwright|pytest|node --test)\b/.test(text);
}

function followMake(rest: readonly string[], way: Way): FollowedCommand[] | null {
  if (rest.some((word) => word.startsWith("-") || word.includes("=")) || rest.length > 1) return null;
  const text = ["GNUmakefile", "makefile", "Makefile"].map((name) => way.files(name)).find((each) => each !== null);
  const recipe = text === undefined || text === null ? null : readRecipe(text, rest[0] ?? null);
  return recipe === null ? null : follow(recipe, { ...way, level: way.level + 1, toArguments: null });
}

type ScriptCall = { name: string; given: string[]; toArguments: string[] };

/** Which script of package.json is called. npm takes its own options from arguments, so `--` must stand before them. */
function scriptOf(program: string, rest: readonly string[]): ScriptCall | null {
  const end = rest.includes("--") ? rest.indexOf("--") : rest.length;
  const words = rest.filter((word, index) => index >= end || !/^(?:-s|--silent|--if-present)$/.test(word));
  const [first = "", second = ""] = words;
  if (program === "npm") {
    const isTest = ["test", "t", "tst"].includes(first);
    if (!isTest && first !== "run" && first !== "run-script") return null;
    const given = words.slice(isTest ? 1 : 2);
    const at = given.indexOf("--");
    const own = at === -1 ? given : given.slice(0, at);
    if (own.length > 0) return null;
    return {
      name: isTest ? "test" : second,
      given: at === -1 ? [] : given.slice(at + 1),
      toArguments: at === -1 ? ["--"] : [],
    };
  }
  if (!["pnpm", "yarn", "bun"].includes(program)) return null;
  const isRun = first === "run";
  const name = isRun ? second : first;
  if (name === "" || name.startsWith("-") || (!isRun && ["exec", "dlx", "install", "node"].includes(name))) return null;
  if (program === "bun" && !isRun) return null;
  return { name: name === "t" ? "test" : name, given: words.slice(isRun ? 2 : 1), toArguments: [] };
}

function readScripts(files: ProjectFiles): Record<string, unknown> {
  try {
    const manifest: unknown = JSON.parse(files("package.json") ?? "null");
    return isObject(manifest) && isObject(manifest["scripts"]) ? manifest["scripts"] : {};
  } catch {
    return {};
  }
}

/** Programs that only start another one. */
function unwrap({ words, variables }: Simple): Simple {
  const [program = "", first = "", ...rest] = words;
  const inner = [first, ...rest];
  if (["npx", "bunx", "pnpx"].includes(program)) return unwrap({ words: withoutOptions(inner), variables });
  if (["pnpm", "yarn", "npm"].includes(program) && first === "exec")
    return unwrap({ words: withoutOptions(rest), variables });
  if (["uv", "poetry", "pipenv", "pdm", "hatch"].includes(program) && first === "run")
    return unwrap({ words: withoutOptions(rest), variables });
  if (["nice", "env", "cross-env", "time", "exec"].includes(program)) {
    const at = inner.findIndex((word) => !/^\w+=/.test(word) && !word.startsWith("-") && !/^\d+$/.test(word));
    const set = inner
      .slice(0, at)
      .filter((word) => word.includes("="))
      .map((word) => word.slice(0, word.indexOf("=")));
    return at === -1 ? { words, variables } : unwrap({ words: inner.slice(at), variables: [...variables, ...set] });
  }
  if (["c8", "nyc"].includes(program)) return unwrap({ words: withoutOptions(inner), variables });
  return { words, variables };
}

/** Options of a starter have their value in the same word, or none. */
function withoutOptions(words: readonly string[]): string[] {
  const at = words.findIndex((word) => !word.startsWith("-"));
  return at === -1 ? [] : words.slice(at);
}
