import type { Finding, Tier } from "./facts/judgement.ts";
import { expandHome, findPathFaults } from "./judge-path.ts";
import { hasPattern, hasUnknown, isAllUnknown, marks, plainPatterns, withoutUnknown } from "./facts/marks.ts";
import { isOwn, isSystemPath, isWithin, resolvePath, tempFolders, type CallContext } from "./facts/call-context.ts";
import { flagValues, hasFlag, type Call } from "./facts/rule.ts";
import { report, resolveIn } from "./facts/scope.ts";

/** Judges the paths among a program's arguments: what it removes, what it writes, what it reads. */
export function judgePaths(call: Call): void {
  const words = operandWords(call);
  const { findings, place } = call.scope.walk;
  if (removers.has(call.name)) {
    const isRecursive = hasFlag(call, "-r", "-R", "--recursive", "-d") || wholeFolders.has(call.name);
    for (const word of words) judgeRemoval(call, word, isRecursive);
  }
  for (const word of emptiedBy(call, words)) judgeRemoval(call, word, true);
  for (const word of changingRights.has(call.name) ? words : []) judgeRights(call, word);
  if (call.name === "rsync" && hasFlag(call, "--chmod", "--chown")) judgeRights(call, words.at(-1) ?? "", true);
  for (const word of writtenBy(call, words))
    findings.push(...findPathFaults(resolveIn(call.scope, word), "write", place));
  for (const word of speaking.has(call.name) ? readBySpeaker(call, words) : readBy(call, words))
    findings.push(...findPathFaults(resolveIn(call.scope, word), "read", place));
}

/**
 * Judges the removal of one path. A wholly unknown path (`"$BUILD_DIR"`) gives a warning: it is nearly always the user's
 * own folder, and a refusal would stop every clean-up. A path that becomes the root, a folder of the system, the home or
 * the work tree when the variable is empty (`"$X"/*`) is refused: a common accident.
 */
export function judgeRemoval(call: Call, word: string, isRecursive: boolean): void {
  const fault = removalFault(word, { isRecursive, cwd: call.scope.cwd, place: call.scope.walk.place });
  if (fault === null) return;
  const path = withoutUnknown(resolveIn(call.scope, word));
  report(call.scope, { ...fault, path }, [call.name, ...call.words]);
  if (isRecursive && isWithin(call.scope.walk.place.store, path)) {
    const reason = `removes ${path}, and ralph's store with it`;
    call.scope.walk.findings.push({ category: 18, tier: "block", reason, subject: [path], path, isFinal: true });
  }
}

/** Rights of the whole home or of the system, changed for everything below, lock people out or let others in. */
function judgeRights(call: Call, word: string, isWhole = hasFlag(call, "-R", "--recursive")): void {
  if (!(isWhole || hasEverything(word)) || hasUnknown(word)) return;
  const { cwd, walk } = call.scope;
  const path = hasPattern(word)
    ? targetOfPattern(word, { cwd, place: walk.place, isRecursive: true })
    : resolveIn(call.scope, word);
  const isForeign = isSystemPath(path) && !isWithin(path, walk.place.home) && !isOwn(path, walk.place);
  if (!isWithin(walk.place.home, path) && !isForeign) return;
  report(call.scope, { category: 7, tier: "block", reason: `changes the rights of everything in ${path}`, path }, [
    call.name,
    ...call.words,
  ]);
}

type Removal = { isRecursive: boolean; cwd: string; place: CallContext };
type Fault = Pick<Finding, "reason"> & { category: 1 | 10; tier: Tier };

function removalFault(word: string, removal: Removal): Fault | null {
  if (isAllUnknown(word)) {
    if (!removal.isRecursive) return null;
    return { category: 1, tier: "warn", reason: "removes a folder that only a variable names" };
  }
  const { place } = removal;
  const path = resolvePath(withoutUnknown(word).replace(/\/+$/, "") || "/", removal.cwd);
  const target = hasPattern(word) ? targetOfPattern(word, removal) : path;
  const shown = plainPatterns(withoutUnknown(word));
  const blocked: Fault = {
    category: 1,
    tier: "block",
    reason: `removes ${shown}, which is not below the work tree or a named temp folder`,
  };
  if (isWithin(path, `${place.workTree}/.git`) && removal.isRecursive) {
    return { category: 10, tier: "block", reason: "removes the history of the work tree" };
  }
  if (isWithin(place.workTree, target) || isWithin(place.home, target) || tempFolders(place).includes(target)) {
    if (removal.isRecursive || hasEverything(word)) return { ...blocked, reason: `removes ${shown}: everything there` };
    return hasPattern(word) && target === place.workTree ? null : { ...blocked, tier: "warn" };
  }
  const isUnplaced = /^[\uE010\uE011]/.test(word) || (!word.startsWith("/") && hasUnknown(removal.cwd));
  if (isUnplaced && removal.isRecursive && !isKnownFolder(path, place)) return { ...blocked, tier: "warn" };
  if (isOwn(path, place)) return null;
  if (hasUnknown(word) && !isKnownFolder(path, place)) return { ...blocked, tier: "warn" };
  if (removal.isRecursive || (isSystemPath(path) && !isWithin(path, place.home))) return blocked;
  return { ...blocked, tier: "warn" };
}

/** What a pattern empties: `dist/*` all of dist; `*.log` and `a*` only some of a folder, so the path itself counts. */
function targetOfPattern(word: string, { cwd }: Removal): string {
  const segments = withoutUnknown(word).replace(/\/+$/, "").split("/");
  const last = segments.at(-1) ?? "";
  const isEverything = /^[.*?[\]!]*\*[.*?]*$|^\.\[.*\]\*$/.test(last);
  if (!isEverything) return resolvePath(segments.join("/"), cwd);
  return resolvePath(
    segments.slice(0, -1).join("/") || (word.startsWith("/") || word.startsWith(marks.unknown) ? "/" : "."),
    cwd,
  );
}

function hasEverything(word: string): boolean {
  return /^(?:.*\/)?\uE000$/.test(word);
}

function isKnownFolder(path: string, place: CallContext): boolean {
  return path === "/" || /^\/[^/]+$/.test(path) ? isSystemPath(path) : isWithin(place.home, path);
}

function operandWords(call: Call): string[] {
  const ended = call.args.indexOf("--");
  return call.words.filter((word, index) => {
    const plain = call.args[index] ?? "";
    if (index === ended || (plain === "" && !hasUnknown(word))) return false;
    return (ended !== -1 && index > ended) || !/^-./.test(plain);
  });
}

/** The folders that a program empties although its purpose is another one. */
function emptiedBy(call: Call, words: readonly string[]): readonly string[] {
  if (call.name === "rsync" && hasFlag(call, "--remove-source-files")) return words.slice(0, -1);
  if (call.name === "rsync" && call.flags.some((flag) => flag.startsWith("--delete"))) return words.slice(-1);
  if (call.name === "gio" && words[0] === "trash") return words.slice(1);
  if (call.name === "tar" && hasFlag(call, "--remove-files")) return words.slice(1);
  if (call.name === "zip" && call.flags.some((flag) => /^-[a-z]*m[a-z]*$|^--move$/.test(flag))) return words.slice(1);
  if (/^7z[ar]?$/.test(call.name) && call.flags.includes("-sdel")) return words.slice(2);
  if (call.name === "mv") return movedAway(call, words);
  return call.name === "ln" ? words.slice(0, -1).filter((word) => isAll(call, word)) : [];
}

/** What is moved out of reach: into nothing, the home itself, and everything in a folder of which the work tree is a part. */
function movedAway(call: Call, words: readonly string[]): readonly string[] {
  const [folder] = flagValues(call, "-t", "--target-directory");
  const target = folder ?? words.at(-1) ?? "";
  const sources = folder === undefined ? words.slice(0, -1) : words.filter((word) => word !== folder);
  const { cwd, walk } = call.scope;
  const { home, workTree } = walk.place;
  const isLeaving = !isWithin(resolveIn(call.scope, target), workTree);
  return sources.filter((word) => {
    if (target === "/dev/null" || isAll(call, word)) return true;
    if (!hasPattern(word) || hasUnknown(word)) return false;
    const emptied = targetOfPattern(word, { cwd, place: walk.place, isRecursive: true });
    return isWithin(home, emptied) || (isLeaving && isWithin(workTree, emptied));
  });
}

/** Whether a path contains the home, the work tree or its history: moved or linked, it can be lost under another name. */
function isAll(call: Call, word: string): boolean {
  const { home, workTree } = call.scope.walk.place;
  const path = resolveIn(call.scope, withoutUnknown(word));
  return !hasUnknown(word) && (isWithin(home, path) || isWithin(workTree, path) || path === `${workTree}/.git`);
}

/** The arguments a program writes to. */
function writtenBy(call: Call, words: readonly string[]): string[] {
  // A folder for ralph's files may be created, not removed.
  if (call.name === "mkdir") return words.filter((word) => !/(?:^|\/)\.ralph\/?$/.test(word));
  if (isEditing(call)) return [...words];
  const targets = flagValues(call, ...(outputFlags.get(call.name) ?? []));
  if (call.name === "dd") return call.words.filter((word) => word.startsWith("of=")).map((word) => word.slice(3));
  if (copiers.has(call.name)) {
    const folders = flagValues(call, "-t", "--target-directory");
    return folders.length > 0 ? folders : words.slice(-1);
  }
  if (call.name === "ln") return [...words];
  if (call.name === "uniq") return words.slice(1, 2);
  if (call.name === "ssh-keygen") return hasFlag(call, "-l", "-y", "-e", "-F", "-B", "-H") ? [] : targets;
  if (call.name === "git") return [...writtenByGit(call), ...targets];
  if (/^[gmn]?awk$/.test(call.name))
    return call.args.flatMap((program) => [...program.matchAll(/>>?\s*"([^"]+)"/g)].map((match) => match[1] ?? ""));
  return targets.filter((target) => target !== "-" && target !== "");
}

function writtenByGit(call: Call): string[] {
  const [command = "", ...paths] = call.operands;
  const isChanging = /^(?:init|clone|checkout|switch|restore|reset|clean|pull|merge|apply|am|stash)$/.test(command);
  const folders = isChanging ? flagValues(call, "-C", "--work-tree") : [];
  const ended = call.args.indexOf("--");
  if (command === "restore" || (command === "checkout" && ended !== -1))
    return [...folders, ...(ended === -1 ? paths : call.args.slice(ended + 1))];
  return /^(?:init|mv|rm)$/.test(command)
    ? [...folders, ...paths]
    : [...folders, ...paths.slice(command === "clone" ? 1 : paths.length)];
}

function isEditing(call: Call): boolean {
  if (writers.has(call.name)) return true;
  if (call.name === "sed" || call.name === "gsed") return hasFlag(call, "-i", "--in-place");
  if (call.name === "perl" || call.name === "ruby") return call.flags.some((flag) => /^-[a-zA-HJ-LN-Z]*i/.test(flag));
  return hasFlag(call, ...(editingFlags.get(call.name) ?? []));
}

/** The arguments a program reads: all that look like a path, also behind `@`, `=` and in options. */
function readBy(call: Call, words: readonly string[]): string[] {
  const isPatternFirst = firstIsPattern.has(call.name) && !hasFlag(call, "-e", "-f", "--regexp", "--file");
  // An empty pattern is not among the words.
  const first = call.words.find((word) => !/^-./.test(word));
  const skipped = isPatternFirst && first !== "" ? 1 : 0;
  const options = call.words.filter((word) => word.startsWith("-")).map((word) => word.slice(word.indexOf("=") + 1));
  const pattern = skipped === 1 ? words[0] : null;
  const attached = call.words.filter((word) => word !== pattern).map((word) => /[@=](.+)$/.exec(word)?.[1] ?? "");
  const sources = copiers.has(call.name) && words.length > 1 ? words.slice(0, -1) : words.slice(skipped);
  const isElsewhere = !isWithin(call.scope.cwd, call.scope.walk.place.workTree);
  return [...sources, ...options, ...attached]
    .filter((word) => word.length < 4096 && word !== "" && (isElsewhere || /[/.~]/.test(withoutUnknown(word))))
    .map((word) => word.replace(/^file:\/\//i, ""));
}

/** Programs whose words are text read a file only where an option or a subcommand says so. */
function readBySpeaker(call: Call, words: readonly string[]): string[] {
  if (call.name === "xargs") return flagValues(call, "-a", "--arg-file");
  if (call.name !== "git" && call.name !== "gh" && call.name !== "glab") return [];
  const files = flagValues(call, ...readingFlags);
  const isReader = hasFlag(call, "--no-index") || /^(?:hash-object|gist|apply|am)$/.test(call.operands[0] ?? "");
  const { place } = call.scope.walk;
  return (isReader ? [...files, ...words] : files).map((path) => expandHome(path, place));
}

const readingFlags = [
  "-F",
  "--file",
  "--body-file",
  "--notes-file",
  "--input",
  "--contents",
  "--template",
  "--pathspec-from-file",
  "--ignore-revs-file",
  "--add-file",
];
const removers = new Set([
  "rm",
  "rmdir",
  "unlink",
  "trash",
  "trash-put",
  "rimraf",
  "del",
  "del-cli",
  "remove-item",
  "ri",
]);
/** Removers that take a folder as a whole without being told. */
const wholeFolders = new Set(["find", "trash", "trash-put", "rimraf", "del", "del-cli"]);
const changingRights = new Set(["chmod", "chown", "chgrp", "setfacl", "chattr"]);
const writers = new Set([
  "rm",
  "rmdir",
  "unlink",
  "touch",
  "tee",
  "truncate",
  "chmod",
  "chown",
  "chgrp",
  "chattr",
  "mv",
  "shred",
  "vim",
  "vi",
  "nano",
  "nvim",
  "ed",
  "ex",
  "emacs",
  "sqlite3",
  "sqlite",
  "patch",
  "rimraf",
  "mkfifo",
  "mknod",
  "setfacl",
  "sponge",
  // Cmdlets of PowerShell.
  "remove-item",
  "set-content",
  "add-content",
  "clear-content",
  "out-file",
  "new-item",
  "move-item",
  "copy-item",
]);
const editingFlags = new Map([
  ["yq", ["-i", "--inplace", "--in-place"]],
  ["prettier", ["-w", "--write"]],
  ["eslint", ["--fix"]],
  ["biome", ["--write"]],
]);
const copiers = new Set(["cp", "install", "rsync", "scp", "ditto"]);
const outputFlags = new Map<string, readonly string[]>(
  Object.entries({
    curl: ["-o", "--output", "--output-dir", "-D", "--dump-header", "-c", "--cookie-jar"],
    wget: ["-O", "--output-document", "-P", "--directory-prefix", "-o", "--output-file"],
    tar: ["-C", "--directory"],
    cpio: ["-D", "--directory"],
    "ssh-keygen": ["-f"],
    unzip: ["-d"],
    git: ["--output"],
    sort: ["-o", "--output"],
    gcc: ["-o"],
    cc: ["-o"],
    openssl: ["-out"],
  }),
);
/** Programs whose words are text, not files, or that use keys without showing them. */
const speaking = new Set([
  "echo",
  "printf",
  "print",
  "git",
  "gh",
  "glab",
  "ssh",
  "ssh-add",
  "ssh-keygen",
  "test",
  "[",
  "ls",
  "stat",
  "du",
  "tree",
  "realpath",
  "readlink",
  "cd",
  "pushd",
  "export",
  "alias",
  "npm",
  "ralph",
  "touch",
  "mkdir",
  "rm",
  "chmod",
  "chown",
  "which",
  "type",
  "command",
  "man",
  "find",
  "xargs",
  "basename",
  "dirname",
  "set",
  "read",
  "declare",
  "local",
  "trap",
  "eval",
  "true",
  "false",
  ":",
  "source",
  ".",
]);
const firstIsPattern = new Set([
  "grep",
  "egrep",
  "fgrep",
  "rg",
  "ag",
  "ack",
  "sed",
  "gsed",
  "awk",
  "gawk",
  "jq",
  "yq",
  "perl",
  "ruby",
]);
