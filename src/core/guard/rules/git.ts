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
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["checkout"],
    when: isDiscarding,
    reason: "throws uncommitted work away",
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
    when: (call) => !hasFlag(call, "--staged", "-S") || hasFlag(call, "--worktree", "-W"),
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
    category: 10,
    tier: "block",
    names: ["git"],
    when: (call) => flagValues(call, "-c", "--config-env").some((value) => running.test(value)),
    reason: "makes git run a program",
  },
  {
    category: 10,
    tier: "block",
    names: ["git"],
    words: ["config"],
    without: ["--get", "--get-all", "--unset", "--list", "-l"],
    when: (call) =>
      call.operands.length > 2 &&
      running.test(`${call.operands[1]}=${call.operands[2]}`) &&
      !/hookspath/i.test(call.operands[1] ?? ""),
    reason: "makes git run a program",
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

/** Settings of git that name a program it runs. */
const running =
  /^(?:core\.(?:sshcommand|pager|editor|fsmonitor|hookspath|askpass|gitproxy)|credential\..*|diff\.external|(?:diff|merge|filter)\..*\.(?:command|driver|clean|smudge|process)|sequence\.editor|gpg\.program|uploadpack\..*|alias\.[^=]*=!.*)(?:=(?!(?:cat|less|true|:|)$)|$)/i;

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
