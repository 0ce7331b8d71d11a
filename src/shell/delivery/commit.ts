import { noSpend, unknownSpend } from "../../core/agents/spend.ts";
import { commitMessage } from "../../core/prompts/commit-message.ts";
import { fewNames } from "../../core/text/few-names.ts";
import { askAgent } from "../agents/ask-agent.ts";
import type { Delivery, TaskDone } from "./delivery.ts";
import { type GitStatus, isFailedCall, readStatus } from "../git/trees/git-status.ts";
import { type FailedHook, watchHooks } from "../git/failed-hook.ts";
import { describeExit, describeFailure, type ToolEnd } from "../git/run-tool.ts";
import { stage } from "./stage.ts";

/** Asked in text mode, word for word (S1-61). */
const messagePrompt =
  "Provide a short imperative commit message for the changes. Output only the message, no explanation.";

/**
 * Stage, ask for the message, commit exactly what was staged. A clean tree is skipped without a question (CB-11), and so
 * is a commit that a former driver made before it died.
 */
export async function commit(delivery: Delivery): Promise<TaskDone> {
  const { context, git } = delivery;
  const made = await madeBefore(delivery);
  if (made !== null) return { commit: made, problem: null, spend: noSpend };
  const staging = await stage(delivery);
  if ("problem" in staging) return refused(staging.problem);
  const staged = await readStatus(git);
  if (isFailedCall(staged)) return refused(describeFailure("status", staged));
  if (staged.staged.length === 0) return skip(delivery, staging.left);
  const tree = await git(["write-tree"]);
  if (tree.exitCode !== 0) return refused(describeFailure("write-tree", tree));
  await delivery.save({ before: { head: staged.head, tree: tree.stdout.trim() } });
  const answer = await askAgent(context, {
    purpose: "agent",
    prompt: messagePrompt,
    turnMarker: delivery.turnMarker,
    signal: delivery.signal,
  });
  // Text mode tells no price.
  const asked = { commit: null, spend: unknownSpend };
  const unchanged = await readStatus(git);
  if (isFailedCall(unchanged)) return { ...asked, problem: describeFailure("status", unchanged) };
  if (unchanged.fingerprint !== staged.fingerprint) return { ...asked, problem: changedTree(staged, unchanged) };
  const message = answer === null ? null : commitMessage(answer);
  if (message === null) return { ...asked, problem: "the agent gave no commit message; nothing was committed." };
  const words = ["commit", "--message", message];
  const place = { disk: context.disk, folder: delivery.run.store.folder };
  const { end: committing, hook } = await watchHooks(place, (call) => delivery.gitWithHooks(words, call));
  if (committing.exitCode !== 0) return { ...asked, problem: describeCommit(committing, hook) };
  const committed = await readStatus(git);
  if (isFailedCall(committed)) return { ...asked, problem: describeFailure("status", committed) };
  await nameLaterEdits(delivery, staged, committed);
  if (staging.left.length > 0)
    await context.note("info", `Not part of the commit: ${leftOut(delivery, staging.left)}.`);
  return { ...asked, commit: committed.head, problem: null };
}

function describeCommit(end: ToolEnd, hook: FailedHook | null): string {
  if (hook === null || end.exitCode === -1) return describeFailure("commit", end);
  return describeExit(`the hook ${hook.name}`, hook.exitCode, end.output);
}

/** The commit of this very delivery, made before the driver died: HEAD moved on from where it was, by one commit or to that tree. */
async function madeBefore({ git, record, context }: Delivery): Promise<string | null> {
  if (record.before === null) return null;
  const read = async (name: string): Promise<string> => {
    const end = await git(["rev-parse", "--verify", "--quiet", name]);
    return end.exitCode === 0 ? end.stdout.trim() : "(initial)";
  };
  const head = await read("HEAD");
  if (head === record.before.head) return null;
  const isTree = (await read("HEAD^{tree}")) === record.before.tree;
  if (!isTree && (await read("HEAD^")) !== record.before.head) return null;
  await context.note("info", `Commit ${head.slice(0, 12)} was made before the run was cut off; it is not made again.`);
  return head;
}

async function skip(delivery: Delivery, left: readonly string[]): Promise<TaskDone> {
  if (left.length > 0)
    await delivery.context.note("info", `Nothing was committed. Left out: ${leftOut(delivery, left)}.`);
  return { commit: null, problem: null, spend: noSpend };
}

/** What stays out of a commit, and why. */
function leftOut({ scm }: Delivery, left: readonly string[]): string {
  const inner = left.filter((path) => path.endsWith("/"));
  const files = left.filter((path) => !path.endsWith("/"));
  const why = scm.stage === "tracked" ? 'untracked, and scm.stage is "tracked"' : "untracked since before the run";
  const parts = [
    ...(files.length === 0 ? [] : [`${fewNames(files)} (${why})`]),
    ...(inner.length === 0 ? [] : [`${fewNames(inner)} (a repository of its own)`]),
  ];
  return parts.join(", ");
}

/** An edit of the call looks like one of a person at the same time, and no guardrail saw either. */
function changedTree(before: GitStatus, after: GitStatus): string {
  const known = new Set([...before.unstaged, ...before.untracked]);
  const changed = [...after.unstaged, ...after.untracked].filter((path) => !known.has(path));
  const what = changed.length === 0 ? "the repository" : fewNames(changed);
  return `the call for the commit message changed ${what}; nothing was committed.`;
}

/** Edits made while the commit was under way (a hook may take minutes) are not part of it. */
async function nameLaterEdits({ context, scm }: Delivery, before: GitStatus, after: GitStatus): Promise<void> {
  const known = new Set(before.untracked);
  const added = scm.stage !== "tracked" ? after.untracked.filter((path) => !known.has(path)) : [];
  const later = [...new Set([...after.staged, ...after.unstaged, ...added])];
  if (later.length === 0) return;
  await context.note("info", `Changed while the commit was made, and not part of it: ${fewNames(later)}.`);
}

function refused(problem: string): TaskDone {
  return { commit: null, problem, spend: noSpend };
}
