import { hasUnknown, marks, withoutUnknown } from "./facts/marks.ts";
import { isWithin } from "./facts/call-context.ts";
import { report, resolveIn, type Scope } from "./facts/scope.ts";

/** Judges a variable that is set for this shell or for one program. */
export function judgeAssignment(scope: Scope, name: string, value: string): void {
  const words = [`${name}=${value}`];
  const harm = hijacking.get(name);
  if (harm !== undefined && withoutUnknown(value) !== "") {
    report(scope, { category: 13, tier: "block", reason: `${name} ${harm}` }, words);
  }
  if (hiding.has(name)) report(scope, { category: 13, tier: "block", reason: `${name} hides what was run` }, words);
  if (guarding.has(name))
    report(scope, { category: 13, tier: "block", reason: `${name} tells the guard of its run` }, words);
  if (registries.test(name) && isElsewhere(value)) {
    report(scope, { category: 9, tier: "block", reason: `${name} takes packages from elsewhere` }, words);
  }
  if (name === "NODE_OPTIONS") judgeNodeOptions(scope, value);
  if (searchPaths.has(name)) judgeSearchPath(scope, name, value);
  if (editors.has(name) && !hasUnknown(value)) scope.walk.runText(value, scope, "");
}

/** Whether an address is one of a registry that is neither this machine nor the public one. */
export function isElsewhere(address: string): boolean {
  return /^https?:\/\//.test(address) && !ordinaryRegistries.test(address);
}

/** Judges a variable that is unset. */
export function judgeUnset(scope: Scope, name: string): void {
  if (!guarding.has(name) && !name.startsWith("HIST")) return;
  const reason = guarding.has(name)
    ? `${name} tells the guard of its run`
    : `without ${name} it is hidden what was run`;
  report(scope, { category: 13, tier: "block", reason }, ["unset", name]);
}

function judgeNodeOptions(scope: Scope, value: string): void {
  const isLoading = /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|--inspect\S*0\.0\.0\.0)\b/.test(
    value,
  );
  const reason = isLoading
    ? "NODE_OPTIONS loads code into every Node program"
    : "NODE_OPTIONS changes every Node program";
  report(scope, { category: 13, tier: isLoading ? "block" : "warn", reason }, [`NODE_OPTIONS=${value}`]);
}

/**
 * Entries before the old value take precedence over the system's programs, so they must be in the work tree; entries
 * appended to PATH come last and are harmless.
 */
function judgeSearchPath(scope: Scope, name: string, value: string): void {
  const entries = value.split(/[:\s]/).filter((entry) => entry !== "");
  const inherited = name === "PATH" ? entries.indexOf(marks.some) : -1;
  const winning = inherited === -1 ? entries : entries.slice(0, inherited);
  for (const entry of winning) {
    if (entry === marks.unknown || entry === marks.some) continue;
    const path = resolveIn(scope, entry);
    if (isWithin(path, scope.walk.place.workTree) || (name === "PATH" && standardFolders.test(path))) continue;
    const isToolFolder = name === "PATH" && isHomeToolFolder(path, scope.walk.place.home);
    const tier = isToolFolder || hasUnknown(entry) ? "warn" : "block";
    const shown = withoutUnknown(path);
    report(scope, { category: 13, tier, reason: `${name} points outside the work tree, to ${shown}` }, [
      `${name}=${value}`,
    ]);
  }
}

function isHomeToolFolder(path: string, home: string): boolean {
  return isWithin(path, home) && /^\/\.?[\w./@+-]+\/(?:bin|shims)$/.test(path.slice(home.length));
}

const hijacking = new Map<string, string>(
  Object.entries({
    PROMPT_COMMAND: "is run with every prompt",
    BASH_ENV: "is run by every shell",
    ENV: "is run by every shell",
    PYTHONSTARTUP: "is run by every Python",
    PERL5OPT: "loads code into every Perl program",
    RUBYOPT: "loads code into every Ruby program",
    JAVA_TOOL_OPTIONS: "loads code into every Java program",
    GIT_SSH_COMMAND: "is run by git",
    GIT_SSH: "is run by git",
    GIT_PROXY_COMMAND: "is run by git",
    GIT_EXTERNAL_DIFF: "is run by git",
    GIT_EXEC_PATH: "replaces the programs of git",
    GIT_ASKPASS: "is asked for passwords",
    SSH_ASKPASS: "is asked for passwords",
    ZDOTDIR: "moves the start files of the shell",
  }),
);
const hiding = new Set(["HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTCONTROL", "HISTIGNORE"]);
const guarding = new Set(["RALPH_RUN_ID", "RALPH_TURN"]);
const searchPaths = new Set([
  "PATH",
  "LD_PRELOAD",
  "LD_AUDIT",
  "LD_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
  "DYLD_LIBRARY_PATH",
  "PYTHONPATH",
  "PYTHONHOME",
  "NODE_PATH",
  "PERL5LIB",
  "RUBYLIB",
]);
const editors = new Set(["GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_PAGER", "EDITOR", "VISUAL", "PAGER"]);
const standardFolders = /^\/(?:usr\/(?:local\/)?)?s?bin$|^\/opt\/homebrew\/s?bin$|^\/usr\/lib\/[\w-]+$/;
const registries =
  /^(?:npm_config_(?:\w+:)?registry|yarn_(?:npm_)?registry\w*|pip_(?:extra_)?index_url|uv_(?:default_|extra_)?index(?:_url)?|bundle_mirror\w*|goproxy)$/i;
const ordinaryRegistries =
  /^https?:\/\/(?:localhost|127\.|\[::1\])|^https:\/\/(?:registry\.(?:npmjs\.org|yarnpkg\.com)|pypi\.org|proxy\.golang\.org|rubygems\.org)(?:\/|$|,)/;
