import { isOwn, isWithin } from "../facts/call-context.ts";
import { hasUnknown } from "../facts/marks.ts";
import { resolveIn } from "../facts/scope.ts";
import { flagValues, hasFlag, type Call, type Rule } from "../facts/rule.ts";

/** Category 10: what git cannot restore, and what makes git run programs or reveal secrets. */
export const gitRules: readonly Rule[] = [
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["push"],
    flags: ["-f", "--force", "--mirror"],
    without: ["--dry-run"],
    when: (call) => !isOnlyLease(call),
    reason: "a forced push replaces the history of others",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["push"],
    when: (call) => call.operands.slice(1).some((word) => word.startsWith("+")),
    reason: "a forced push replaces the history of others",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["push"],
    without: ["--dry-run"],
    when: (call) =>
      isElsewhere(repositoryOf(call)) || call.scope.walk.newRemotes.size > 0 || call.args.some(isRemoteOfLine),
    reason: "sends the history to an address that nobody set up",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["send-pack|http-push"],
    without: ["--dry-run"],
    reason: "sends the history to an address that nobody set up",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["push"],
    flags: ["--prune"],
    reason: "deletes branches of others",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["worktree", "remove"],
    flags: ["-f", "--force"],
    when: (call) => call.operands.slice(2).some((path) => isForeign(call, path)),
    reason: "removes another work tree with all that is not committed",
  },
  {
    category: 12,
    tier: "block",
    names: ["git"],
    argument: /^ext::/,
    reason: "makes git run a program",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["push"],
    when: (call) => deletedBranches(call).some(isMain),
    reason: "deletes the main branch",
  },
  {
    category: 10,
    tier: "warn",
    names: ["git"],
    words: ["push"],
    when: (call) => deletedBranches(call).some((branch) => !isMain(branch)),
    reason: "deletes a branch",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["push"],
    when: (call) => hasLease(call) && leaseIs(call, "block"),
    reason: "a forced push replaces the history of others",
  },
  {
    category: 10,
    tier: "warn",
    names: ["git"],
    words: ["push"],
    when: (call) => hasLease(call) && leaseIs(call, "warn"),
    reason: "a forced push, though only over what is known",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["reset"],
    flags: ["--hard", "--merge"],
    reason: "throws uncommitted work away",
  },
  {
    category: 10,
    tier: "warn",
    names: ["git"],
    words: ["clean"],
    flags: ["-f", "--force"],
    without: ["-n", "--dry-run"],
    reason: "removes files git does not know",
  },
  {
    category: 1,
    tier: "block",
    names: ["git"],
    words: ["clean"],
    flags: ["-f", "--force"],
    without: ["-n", "--dry-run"],
    when: isForeignFolder,
    reason: "removes files outside the work tree",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["checkout"],
    when: (call) => isDiscarding(call) && !isOfNamedFiles(call),
    reason: "throws uncommitted work away",
  },
  {
    category: 10,
    tier: "warn",
    names: ["git"],
    words: ["checkout|restore"],
    when: (call) => (call.operands[0] === "restore" ? isRestoring(call) : isDiscarding(call)) && isOfNamedFiles(call),
    reason: "throws uncommitted work in a file away",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["switch"],
    flags: ["-f", "--force", "--discard-changes"],
    reason: "throws uncommitted work away",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["restore"],
    when: (call) => isRestoring(call) && !isOfNamedFiles(call),
    reason: "throws uncommitted work away",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["branch"],
    flags: ["-d", "-D", "--delete"],
    when: (call) => call.operands.slice(1).some(isMain),
    reason: "deletes the main branch",
  },
  {
    category: 10,
    tier: "warn",
    names: ["git"],
    words: ["branch"],
    flags: ["-d", "-D", "--delete"],
    when: (call) => !call.operands.slice(1).some(isMain),
    reason: "deletes a branch",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["filter-branch|filter-repo|replace|fast-import"],
    reason: "rewrites history",
  },
  { category: 10, tier: "block", names: ["git-filter-repo", "bfg"], reason: "rewrites history" },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["reflog", "expire|delete"],
    reason: "forgets what could be brought back",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["gc|prune"],
    argument: /^--(?:prune|expire)=(?:now|all)/,
    reason: "forgets what could be brought back",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["update-ref"],
    flags: ["-d", "--stdin"],
    reason: "deletes a branch or tag",
  },
  { category: 10, tier: "block", names: ["git"], words: ["rebase"], flags: ["--root"], reason: "rewrites history" },
  { category: 10, tier: "block", names: ["git"], words: ["stash", "clear"], reason: "throws stashed work away" },
  { category: 10, tier: "warn", names: ["git"], words: ["stash", "drop"], reason: "throws stashed work away" },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["credential|credential-store|credential-cache|credential-osxkeychain"],
    reason: "reads or stores passwords",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["config"],
    argument: /^credential\./i,
    without: ["--get", "--list", "-l", "--get-all"],
    reason: "changes who keeps passwords",
  },
  {
    category: 15,
    tier: "block",
    names: ["git"],
    words: ["config"],
    argument: /^core\.hookspath$/i,
    without: ["--get", "--get-all", "--list", "-l"],
    reason: "makes git run other hooks",
  },
];

/** Where a push goes, with marks: the first operand, or `--repo`. */
function repositoryOf(call: Call): string {
  const [named] = flagValues(call, "--repo");
  const at = call.args.indexOf("push");
  const first = call.args.findIndex(
    (word, index) =>
      index > at && !/^-./.test(word) && !/^(?:-o|--push-option|--receive-pack)$/.test(call.args[index - 1] ?? ""),
  );
  return named ?? (first === -1 ? "" : (call.words[first] ?? ""));
}

/** An address or a path instead of the name of a remote, or one that only a variable names. */
function isElsewhere(repository: string): boolean {
  return hasUnknown(repository) || /^[\w+.-]+:\/\/|^(?:[\w.-]+@)?[\w.-]+:(?!$)|^[./~]/.test(repository);
}

/** `git -c remote.x.url=…`: an address that only this line knows. */
function isRemoteOfLine(word: string): boolean {
  return /^(?:-c|--config-env=)?remote\.[^=]*\.(?:push)?url=/i.test(word);
}

function hasLease(call: Call): boolean {
  return call.flags.some((flag) => /^--force-with-lease(?:=|$)/.test(flag));
}

function leaseIs(call: Call, tier: "warn" | "block"): boolean {
  return (call.scope.walk.place.forceWithLease ?? "warn") === tier;
}

/** `--force-with-lease` alone is not `--force`; both together are. */
function isOnlyLease(call: Call): boolean {
  return !call.flags.some((flag) => /^(?:--force|--mirror|-[a-z]*f[a-z]*)$/.test(flag));
}

function deletedBranches(call: Call): string[] {
  const names = call.operands.slice(1);
  const byColon = names.filter((word) => /^:./.test(word)).map((word) => word.slice(1));
  return hasFlag(call, "--delete", "-d") ? [...byColon, ...names.slice(1)] : byColon;
}

function isMain(branch: string): boolean {
  return /^(?:refs\/heads\/)?(?:main|master|trunk|develop|production)$/.test(branch);
}

/** `-b` creates a branch, which keeps all work; paths or force lose work. */
function isDiscarding(call: Call): boolean {
  if (hasFlag(call, "-b", "-B", "--orphan", "--help")) return false;
  if (hasFlag(call, "-f", "--force")) return true;
  return call.args.includes("--")
    ? call.args.at(-1) !== "--"
    : call.operands.slice(1).some((word) => /^\.\/?$|^:\//.test(word));
}

function isRestoring(call: Call): boolean {
  return !hasFlag(call, "--staged", "-S") || hasFlag(call, "--worktree", "-W");
}

/** Files by their full names, each with an extension: what is lost is small and was chosen. Anything else may be a folder. */
function isOfNamedFiles(call: Call): boolean {
  if (hasFlag(call, "-f", "--force", "--pathspec-from-file")) return false;
  const ended = call.args.indexOf("--");
  const paths = ended === -1 ? call.operands.slice(1) : call.args.slice(ended + 1);
  return paths.length > 0 && paths.every((path) => /^[^*?[\]:]*[^*?[\]:./]\.\w+$/.test(path));
}

/** The folder git works in, if it is neither the project's nor one of the temp folder. */
function isForeignFolder(call: Call): boolean {
  const [named = "."] = flagValues(call, "--work-tree", "-C");
  return isForeign(call, named);
}

function isForeign(call: Call, path: string): boolean {
  const folder = resolveIn(call.scope, path);
  const { place } = call.scope.walk;
  return !hasUnknown(folder) && !isWithin(folder, place.workTree) && !isOwn(folder, place);
}
