import { guessText, judgeForeignFile } from "./helper-programs.ts";
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
  if (/^npm_config_(?:script_shell|shell|node_options|git|editor|prefix|userconfig|globalconfig)$/i.test(name)) {
    report(scope, { category: 9, tier: "block", reason: `${name} makes npm run something else` }, words);
  }
  if (name === "NODE_OPTIONS") judgeNodeOptions(scope, value);
  if (searchPaths.has(name)) judgeSearchPath(scope, name, value);
  if (prompts.has(name)) scope.walk.runText(`cat <<PROMPT_OF_A_SHELL\n${value}\nPROMPT_OF_A_SHELL\n`, scope, "");
  if (name.startsWith("BASH_FUNC_")) {
    report(scope, { category: 13, tier: "block", reason: `${name} replaces a command in every shell` }, words);
  }
  if (proxies.test(name) && isForeignAddress(value)) {
    report(scope, { category: 13, tier: "block", reason: `${name} leads traffic and keys elsewhere` }, words);
  }
  if (unverified.test(`${name}=${value}`)) {
    report(scope, { category: 13, tier: "block", reason: `${name} lets anybody pose as a server` }, words);
  }
  if (helpers.test(name) && !hasUnknown(value)) judgeNamedHelper(scope, name, value);
  if (commandLike.test(name) && !hasUnknown(value)) guessText(scope, value);
  if (files.test(name)) judgeForeignFile(scope, value, name);
}

/** `LESSOPEN` begins with a pipe; `MAKEFLAGS`, `GOFLAGS` and `MANOPT` hold options. */
function judgeNamedHelper(scope: Scope, name: string, value: string): void {
  if (name === "MAKEFLAGS" || name === "MANOPT" || name === "GOFLAGS") {
    if (!/(?:^|\s)(?:-P|-H|--pager|--eval|-f|--?(?:toolexec|exec|vettool|overlay)(?:=|$))/.test(value)) return;
    report(scope, { category: 13, tier: "block", reason: `${name} makes every call run something else` }, [
      `${name}=${value}`,
    ]);
    return;
  }
  const text = value.replace(/^\|+-?/, "");
  scope.walk.runText(text, scope, "");
  judgeForeignFile(scope, text.split(/\s/)[0] ?? "", name);
}

/** Whether an address is one of a registry that is neither this machine nor the public one. */
export function isElsewhere(address: string): boolean {
  return /^https?:\/\//.test(address) && !ordinaryRegistries.test(address);
}

function isForeignAddress(value: string): boolean {
  return /^\w+:\/\//.test(value) && !/^\w+:\/\/(?:localhost|127\.|\[::1\]|host\.docker\.internal|\/)/.test(value);
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
    JDK_JAVA_OPTIONS: "loads code into every Java program",
    _JAVA_OPTIONS: "loads code into every Java program",
    GIT_CONFIG_COUNT: "configures git where nobody sees it",
    GIT_CONFIG_PARAMETERS: "configures git where nobody sees it",
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
/** Variables that name a program which others start. */
const helpers =
  /^(?:[A-Z_]*EDITOR|VISUAL|[A-Z_]*PAGER|BROWSER|LESSOPEN|LESSCLOSE|[A-Z]+_RSH|CC|CXX|CPP|LD|AR|RUSTC|RUSTDOC|RUSTC_(?:WORKSPACE_)?WRAPPER|CMAKE_\w+_LAUNCHER|MAKEFLAGS|GOFLAGS|MANOPT|CARGO_(?:BUILD|TARGET)_(?:\w+_)?(?:RUSTC|RUSTDOC|WRAPPER|RUNNER|LINKER))$/;
/** Variables that sound as if somebody ran them. */
const commandLike = /^\w+_(?:COMMAND|CMD|SHELL|HOOK)$/;
/** Variables that name a file of settings or code which a program obeys. */
const files =
  /^(?:GIT_CONFIG(?:_GLOBAL|_SYSTEM)?|GIT_TEMPLATE_DIR|NPM_CONFIG_(?:USER|GLOBAL)CONFIG|INPUTRC|VIMINIT|PIP_CONFIG_FILE|CURL_HOME|WGETRC|KUBECONFIG|GCONV_PATH|TERMINFO|CLASSPATH|DOCKER_CONFIG|MAKEFILES)$/i;
const prompts = new Set(["PS0", "PS1", "PS2", "PS4"]);
const proxies =
  /^(?:(?:https?|all|ftp)_proxy|[A-Z_]*(?:ANTHROPIC|OPENAI|GEMINI|AZURE)\w*_(?:BASE_URL|ENDPOINT|HOST)|DOCKER_HOST)$/i;
const unverified = /^(?:NODE_TLS_REJECT_UNAUTHORIZED=0|GIT_SSL_NO_VERIFY=(?!0|false$).+|PYTHONHTTPSVERIFY=0)$/;
const standardFolders = /^\/(?:usr\/(?:local\/)?)?s?bin$|^\/opt\/homebrew\/s?bin$|^\/usr\/lib\/[\w-]+$/;
const registries =
  /^(?:npm_config_(?:\w+:)?registry|yarn_(?:npm_)?registry\w*|pip_(?:extra_)?index_url|uv_(?:default_|extra_)?index(?:_url)?|bundle_mirror\w*|goproxy)$/i;
const ordinaryRegistries =
  /^https?:\/\/(?:localhost|127\.|\[::1\])|^https:\/\/(?:registry\.(?:npmjs\.org|yarnpkg\.com)|pypi\.org|proxy\.golang\.org|rubygems\.org)(?:\/|$|,)/;
