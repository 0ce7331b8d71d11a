import type { Git } from "./git.ts";
import { quietWords } from "./git-environment.ts";

/** One setting of git, and whose it is. */
export type ConfigEntry = { scope: string; key: string; value: string };

/** Everything git is configured with in a repository, in the order in which later ones win; includes are resolved. */
export async function readConfig(git: Git): Promise<ConfigEntry[]> {
  const end = await git(["config", "--list", "--show-scope", "-z"]);
  const entries = end.exitCode === 0 && end.isWhole ? parseConfig(end.stdout) : [];
  return entries.filter((entry) => !isOurs(entry));
}

/** The options of our own call are nobody's configuration. */
function isOurs({ scope, key, value }: ConfigEntry): boolean {
  return scope === "command" && ourOptions.has(`${key}=${value}`);
}

const ourOptions = new Set(quietWords.map((option) => option.toLowerCase()));

/** Reads pairs of a scope and a key with its value; a key alone is true. */
export function parseConfig(text: string): ConfigEntry[] {
  const fields = text.split("\0");
  const entries: ConfigEntry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const field = fields[at + 1] ?? "";
    const line = field.indexOf("\n");
    const [key, value] = line === -1 ? [field, "true"] : [field.slice(0, line), field.slice(line + 1)];
    entries.push({ scope: fields[at] ?? "", key, value });
  }
  return entries;
}

/** Whether whoever works in the repository can have written it. */
export function isOfRepository({ scope }: ConfigEntry): boolean {
  return scope === "local" || scope === "worktree";
}

/** What decides how a file becomes an object, and which files are ignored. Nothing else reaches a store of our own. */
export function contentConfig(entries: readonly ConfigEntry[]): ConfigEntry[] {
  return entries.filter(({ key }) => isAboutContent(key));
}

function isAboutContent(key: string): boolean {
  return contentKeys.has(key) || key.startsWith("filter.") || key.startsWith("lfs.");
}

const contentKeys = new Set([
  "core.autocrlf",
  "core.eol",
  "core.safecrlf",
  "core.checkroundtripencoding",
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.excludesfile",
  "core.attributesfile",
]);

/** What decides how two changes of one path become one. Drivers are the user's own programs. */
export function mergeConfig(entries: readonly ConfigEntry[]): ConfigEntry[] {
  return entries.filter(({ key }) => isAboutMerges(key));
}

function isAboutMerges(key: string): boolean {
  return mergeKeys.has(key) || /^merge\..+\.(?:driver|recursive)$/.test(key);
}

const mergeKeys = new Set([
  "merge.default",
  "merge.renames",
  "merge.renamelimit",
  "merge.directoryrenames",
  "merge.renormalize",
  "diff.renames",
  "diff.renamelimit",
  "diff.algorithm",
]);

/** Where the objects come from that a partial clone left out; none in a whole one. */
export function promisorConfig(entries: readonly ConfigEntry[]): ConfigEntry[] {
  if (!entries.some(({ key }) => isPromise(key))) return [];
  return entries.filter(({ key }) => /^(?:remote|url|http)\./.test(key) || key === "core.sshcommand");
}

/** Settings that let git fetch an object that is missing, and which programs do it. */
export function isPromise(key: string): boolean {
  return key === "extensions.partialclone" || /^remote\..+\.(?:promisor|vcs)$/.test(key);
}

/**
 * What takes the effect of settings that the repository got since `start`: each comes back as it was then, and one that
 * was not there is empty. Signing counts from the user's own configuration alone.
 */
export function overridesOf(
  now: readonly ConfigEntry[],
  start: readonly ConfigEntry[],
): [key: string, value: string][] {
  const former = lastValues(start.filter((entry) => !isSigning(entry.key) || !isOfRepository(entry)));
  const present = lastValues(now);
  const keys = new Set([...present.keys(), ...former.keys()].filter(startsProgram));
  return [...keys]
    .filter((key) => present.get(key) !== former.get(key))
    .map((key) => [key, former.get(key) ?? neutralValue(key)]);
}

/** The variables that make git take these settings as if they stood on its command line. */
export function configVariables(
  settings: readonly (readonly [key: string, value: string])[],
  env: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const first = Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const keys = settings.map(([key], index) => [`GIT_CONFIG_KEY_${first + index}`, key] as const);
  const values = settings.map(([, value], index) => [`GIT_CONFIG_VALUE_${first + index}`, value] as const);
  return { ...Object.fromEntries([...keys, ...values]), GIT_CONFIG_COUNT: String(first + settings.length) };
}

function lastValues(entries: readonly ConfigEntry[]): Map<string, string> {
  return new Map(entries.map(({ key, value }) => [key, value]));
}

/** Settings that start a program, or decide about content and which files are there, when git stages, merges or commits. */
function startsProgram(key: string): boolean {
  if (key === "core.sparsecheckout" || isTransport(key)) return true;
  if (isAboutContent(key) || isSigning(key) || isAboutMerges(key)) return true;
  return /^diff\..+\.(?:command|textconv)$/.test(key);
}

/** Programs that carry objects between repositories. */
function isTransport(key: string): boolean {
  return key === "core.sshcommand" || key === "core.gitproxy" || /^remote\..+\.(?:uploadpack|receivepack)$/.test(key);
}

function isSigning(key: string): boolean {
  return key.startsWith("gpg.") || key === "commit.gpgsign" || key === "tag.gpgsign";
}

/** What git does without the setting; an empty program counts as not set, but an empty driver would keep one side. */
function neutralValue(key: string): string {
  if (key.endsWith(".driver")) return "false";
  if (key.endsWith(".uploadpack")) return "git-upload-pack";
  if (key.endsWith(".receivepack")) return "git-receive-pack";
  return neutralValues[key] ?? (key.endsWith(".required") || key.endsWith(".gpgsign") ? "false" : "");
}

const neutralValues: Readonly<Record<string, string>> = {
  "gpg.program": "gpg",
  "gpg.openpgp.program": "gpg",
  "gpg.format": "openpgp",
  "gpg.ssh.program": "ssh-keygen",
  "gpg.x509.program": "gpgsm",
  "core.autocrlf": "false",
  "core.eol": "native",
  "core.safecrlf": "warn",
  "core.filemode": "true",
  "core.symlinks": "true",
  "core.ignorecase": "false",
  "core.sparsecheckout": "false",
  "core.precomposeunicode": "false",
  "core.checkroundtripencoding": "SHIFT-JIS",
  "core.sshcommand": "ssh",
  "core.gitproxy": "none",
  "merge.default": "text",
  "merge.renames": "true",
  "merge.renamelimit": "7000",
  "merge.directoryrenames": "conflict",
  "merge.renormalize": "false",
  "diff.renames": "true",
  "diff.renamelimit": "1000",
  "diff.algorithm": "default",
};
