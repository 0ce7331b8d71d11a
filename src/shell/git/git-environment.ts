import { delimiter, isAbsolute, relative, resolve } from "node:path";

/**
 * Stand before the words of every call: no program that the repository names runs beside git. `core.fsmonitor` and hooks
 * are programs; a signature starts one, too. What a commit descends from is read from the commits, not from a commit
 * graph that anybody can write, and what git prints does not depend on how people like to see it. Options of the command
 * line win over every configuration file.
 */
export const quietWords: readonly string[] = [
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.hooksPath=/dev/null",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "log.showSignature=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "diff.ignoreSubmodules=dirty",
  "core.commitGraph=false",
  "diff.relative=false",
  "rerere.enabled=false",
  "rerere.autoUpdate=false",
  "revert.reference=false",
  "i18n.commitEncoding=UTF-8",
  "i18n.logOutputEncoding=UTF-8",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((option) => ["-c", option]);

/**
 * The environment of a call: variables that point git to another repository are gone, and programs are looked for in
 * absolute folders outside of the project only, so that no `git` of the project is ever started.
 */
export function gitEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  folders: readonly string[],
): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !repositoryVariables.has(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...silence, PATH: trustedPath(env["PATH"] ?? "", folders) };
}

/** The folders of a search path that are absolute and outside of these folders. */
export function trustedPath(path: string, folders: readonly string[]): string {
  const isTrusted = (entry: string): boolean =>
    isAbsolute(entry) && !folders.some((folder) => isInside(resolve(entry), resolve(folder)));
  return path.split(delimiter).filter(isTrusted).join(delimiter);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

/** The names of `git rev-parse --local-env-vars` without command-line options, and programs that git would start. */
const repositoryVariables = new Set([
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_CONFIG",
  "GIT_OBJECT_DIRECTORY",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_GRAFT_FILE",
  "GIT_INDEX_FILE",
  "GIT_INDEX_VERSION",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_REPLACE_REF_BASE",
  "GIT_PREFIX",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_SHALLOW_FILE",
  "GIT_COMMON_DIR",
  "GIT_NAMESPACE",
  "GIT_EXTERNAL_DIFF",
  "GIT_LITERAL_PATHSPECS",
  "GIT_GLOB_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
]);

/**
 * Git asks nothing, takes no lock it does not need, and speaks English, so that its error lines are recognised. An object
 * is what its name says: nobody reads one that stands in its place.
 */
const silence = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  LANGUAGE: "en",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_GRAFT_FILE: "/dev/null",
};

/**
 * Git does not fetch an object that is missing: the program that hands it over is named by the repository. The first
 * variable is that of git 2.44 and later; older ones start a fetch, to which no protocol is allowed.
 */
export const offline: Readonly<Record<string, string>> = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };

/** Takes it back where the user's own settings say where objects come from. */
export const online: Readonly<Record<string, string>> = {
  GIT_NO_LAZY_FETCH: "0",
  GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
};
