/** A path that git ignores, by which rule, and what is known of the file that holds the rule. */
export type IgnoredPath = {
  path: string;
  /** Whether the candidate holds the rule, so that it counts in a clone, too. */
  isRuleDelivered: boolean;
  /** Whether the rule was there when the run began. */
  isRuleFormer: boolean;
  /** Whether a tool made the folder: what it holds is made again where it is missing. */
  isOfTool: boolean;
};

/** `named`: it stays out of the delivery, and people are told. `missed`: the checks saw it, and no clone ignores or has it. */
export type IgnoredKind = "usual" | "named" | "missed";

/**
 * Projects let git ignore what they build, so that a rule which is delivered only names what it keeps out. A rule that no
 * commit holds is none for whoever gets the commit: a folder that ignores itself would vanish without a word.
 */
export function judgeIgnored({ isRuleDelivered, isRuleFormer, isOfTool }: IgnoredPath): IgnoredKind {
  if (isRuleFormer) return "usual";
  return isRuleDelivered || isOfTool ? "named" : "missed";
}

/** Whether what git ignores is lost with its work tree: not where it was ignored before, or can be made again. */
export function isWorthKeeping({ isRuleFormer, isOfTool }: IgnoredPath): boolean {
  return !isRuleFormer && !isOfTool;
}

/** Whether a folder has the name of what package managers, compilers and test runners make. */
export function isMadeByTools(path: string): boolean {
  return path.split("/").some((name) => toolFolders.has(name) || name.endsWith(".egg-info"));
}

const toolFolders = new Set(
  [
    "node_modules .pnpm-store .yarn .next .nuxt .svelte-kit .turbo .parcel-cache .vite",
    "__pycache__ .venv venv .tox .nox .eggs .hypothesis .pytest_cache .mypy_cache .ruff_cache .ipynb_checkpoints htmlcov",
    "target dist build out coverage .nyc_output .cache .gradle .terraform vendor .ralph",
  ].flatMap((names) => names.split(" ")),
);
