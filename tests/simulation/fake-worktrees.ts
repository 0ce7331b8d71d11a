import type { Merged, MergedTree } from "../../src/shell/git/trees/merged-tree.ts";
import type { ProcessOrder } from "../../src/shell/ports.ts";
import type { Act } from "./agent-acts.ts";
import type { FakeFiles } from "./fake-files.ts";
import { gitWords } from "./git-words.ts";
import type { Random } from "./random.ts";

/** Git as far as a work run with work trees needs it: branches that are made, merged and removed. */
export type FakeWorktrees = {
  act(order: Pick<ProcessOrder, "argv" | "cwd">): Act;
  /** Branches whose work is in the main one. */
  merged: Set<string>;
  /** Branches whose merge was taken back at least once. */
  undone: Set<string>;
  /** The commit the main branch stands at. */
  head(): string;
  /** The tree of a merge, or where it conflicts. */
  mergeTrees(merged: Merged): MergedTree;
};

type Branch = { commits: number; isDirty: boolean; doesConflict: boolean };

type Merge = { commit: string; branch: string; second: string; title: string };

const first = "0123456789abcdef";

/** A repository in `/project` on its main branch. */
export function createFakeWorktrees(files: FakeFiles, random: Random): FakeWorktrees {
  const branches = new Map<string, Branch>();
  const merged = new Set<string>();
  const undone = new Set<string>();
  const merges: Merge[] = [];
  let mergesMade = 0;
  const head = (): string => merges.at(-1)?.commit ?? first;
  const tipOf = (name: string): string | null => {
    const branch = branches.get(name);
    return branch === undefined ? null : `${name}@${branch.commits}`;
  };
  const parents = new Map<string, string>();
  /** Merge commits, of which a reset makes the main branch stand at one. */
  const made = new Map<string, Merge>();
  const branchOf = (tip: string): string => tip.split("@")[0] ?? "";
  const parentOf = (commit: string): string | null => parents.get(commit) ?? null;
  const branchAt = (cwd: string): Branch | undefined => branches.get(`ralph/${taskAt(cwd) ?? ""}`);
  const answerTo = (cwd: string, words: readonly string[]): string | null => {
    const [command = "", second = ""] = words;
    const last = words.at(-1) ?? "";
    const passes = (isPassed: boolean): string | null => (isPassed ? "" : null);
    switch (command) {
      case "rev-parse":
        if (last === "HEAD") return taskAt(cwd) === null ? head() : tipOf(`ralph/${taskAt(cwd) ?? ""}`);
        if (last === "refs/heads/main") return head();
        if (last.endsWith("^1")) return parentOf(last === "HEAD^1" ? head() : last.replace("^1", ""));
        return tipOf(last.replace("refs/heads/", ""));
      case "log":
        return merges
          .map(({ commit, second: tip, title }) => `${commit} ${parentOf(commit)} ${tip} ${title}`)
          .join("\n");
      case "commit-tree": {
        const [, , , ours = "", , theirs = "", , title = ""] = words;
        mergesMade += 1;
        const commit = `merge${mergesMade}`;
        parents.set(commit, ours);
        made.set(commit, { commit, branch: branchOf(theirs), second: theirs, title });
        return commit;
      }
      case "reset": {
        // With paths it takes them out of the index alone.
        if (words.includes("--")) return "";
        const merge = made.get(last);
        if (merge !== undefined && taskAt(cwd) === null) {
          if (merges.at(-1)?.commit === last) return "";
          merges.push(merge);
          merged.add(merge.branch);
          return "";
        }
        const at = merges.findIndex(({ commit }) => `${commit}^1` === last);
        for (const { branch } of at < 0 ? [] : merges.splice(at)) {
          merged.delete(branch);
          undone.add(branch);
        }
        return passes(at >= 0);
      }
      case "symbolic-ref":
        return "main";
      case "worktree":
        return worktree({ files, branches, random }, words);
      case "add": {
        const branch = branchAt(cwd);
        // What was merged has nothing left to commit.
        if (branch !== undefined) branch.isDirty = !merged.has(`ralph/${taskAt(cwd) ?? ""}`);
        return "";
      }
      case "diff":
        return passes(second !== "--cached" || branchAt(cwd)?.isDirty !== true);
      case "commit": {
        const branch = branchAt(cwd);
        if (branch !== undefined) Object.assign(branch, { commits: branch.commits + 1, isDirty: false });
        return "";
      }
      case "merge-base":
        return passes(merged.has(words[2] ?? "") || merges.some(({ commit }) => commit === words[2]));
      case "branch":
        if (second !== "--remotes") branches.delete(last);
        return "";
      case "ls-files":
        return null;
      case "config":
        return "";
      default:
        throw new Error(`the simulated git does not know: git ${words.join(" ")}`);
    }
  };
  return {
    merged,
    undone,
    head,
    mergeTrees: ({ theirs }) =>
      branches.get(branchOf(theirs))?.doesConflict === false ? { tree: "tree" } : { conflicts: ["one.txt"] },
    act({ argv, cwd }) {
      const act: Act = {
        name: "git",
        lines: () => {
          const answer = answerTo(cwd, gitWords(argv) ?? []);
          act.exitCode = answer === null ? 1 : 0;
          return [answer ?? ""];
        },
      };
      return act;
    },
  };
}

/** The task in whose work tree this is; null in the project itself. */
export function taskAt(path: string): string | null {
  return /\/\.ralph\/worktrees\/([^/]+)/.exec(path)?.[1] ?? null;
}

type Trees = { files: FakeFiles; branches: Map<string, Branch>; random: Random };

function worktree({ files, branches, random }: Trees, words: readonly string[]): string | null {
  const [, verb] = words;
  if (verb === "remove") {
    files.remove(`${words.at(-1) ?? ""}/.git`);
    return "";
  }
  if (verb !== "add") return "";
  const isNew = words.includes("-b");
  const [branch = "", path = ""] = isNew ? words.slice(4, 6) : [words[4], words[3]];
  if (files.look(`${path}/.git`) !== null) return null;
  if (isNew && branches.has(branch)) return null;
  if (isNew) branches.set(branch, { commits: 0, isDirty: false, doesConflict: random.chance(0.1) });
  files.put(`${path}/.git`, Buffer.from("gitdir: elsewhere"));
  return "";
}
