import { noSpend } from "../../core/agents/spend.ts";
import type { Delivery, TaskDone } from "./delivery.ts";
import { describeFailure, type Tool, type ToolEnd } from "../git/run-tool.ts";

/** A program that opens pull requests, by its command lines. */
type Opener = {
  program: string;
  /** Finds this program's hosts in the address of the remote. */
  host: RegExp;
  list: (branch: string) => string[];
  create: (branch: string) => string[];
};

/** Neither asks anything with these words; title and text come from the commits. */
const openers: readonly Opener[] = [
  {
    program: "gh",
    host: /github/i,
    list: (branch) => ["pr", "list", "--head", branch, "--state", "open", "--limit", "1", "--json", "url"],
    create: (branch) => ["pr", "create", "--head", branch, "--fill"],
  },
  {
    program: "glab",
    host: /gitlab/i,
    list: (branch) => ["mr", "list", "--source-branch", branch, "--output", "json"],
    create: (branch) => ["mr", "create", "--source-branch", branch, "--fill", "--yes"],
  },
];

/** The programs that can open one, for `ralph doctor`. */
export const openerPrograms: readonly string[] = openers.map(({ program }) => program);

/** Opens a pull request for the branch checked out, or finds the one that is open; the words after `pr` are handed on. */
export async function openPullRequest({ git, tool, context }: Delivery, task: string): Promise<TaskDone> {
  const branch = await git(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (branch.exitCode !== 0) return refused("pr: no branch is checked out; check one out and push it.");
  const name = branch.stdout.trim();
  const remote = await git(["remote", "get-url", "origin"]);
  const found = await findOpener(tool, remote.exitCode === 0 ? remote.stdout.trim() : "", name);
  if ("problem" in found) return refused(found.problem);
  const { opener, open } = found;
  if (open !== null) {
    await context.note("info", `The pull request is open already: ${open}`);
    return done;
  }
  const created = await tool([opener.program, ...opener.create(name), ...task.split(/\s+/).slice(1)]);
  if (created.exitCode !== 0) return refused(describeFailure(`pr by ${opener.program}`, created));
  await context.note("info", `Opened a pull request: ${addressIn(created.output) ?? `see ${opener.program}`}`);
  return done;
}

const done: TaskDone = { commit: null, problem: null, spend: noSpend };

function refused(problem: string): TaskDone {
  return { ...done, problem };
}

type Found = { opener: Opener; open: string | null } | { problem: string };

/** The program for the remote's host; for a host nobody knows, the first one that is installed. */
async function findOpener(tool: Tool, remote: string, branch: string): Promise<Found> {
  const known = openers.filter(({ host }) => host.test(remote));
  const candidates = known.length > 0 ? known : openers;
  for (const opener of candidates) {
    const listed = await tool([opener.program, ...opener.list(branch)]);
    if (!listed.isFound) continue;
    if (listed.exitCode !== 0) return { problem: describeFailure(`pr by ${opener.program}`, listed) };
    return { opener, open: openAddress(listed) };
  }
  const programs = candidates.map(({ program }) => program).join(" or ");
  return { problem: `pr: ${programs} is not installed; install it and sign in, or open the pull request by hand.` };
}

/** The address of the first one listed; null for any other answer. */
function openAddress({ stdout }: ToolEnd): string | null {
  return /"(?:url|web_url)"\s*:\s*"([^"]+\/(?:pull|merge_requests)\/\d+)"/.exec(stdout)?.[1] ?? null;
}

function addressIn(output: string): string | null {
  return /https?:\/\/\S+\/(?:pull|merge_requests)\/\d+/.exec(output)?.[0] ?? null;
}
