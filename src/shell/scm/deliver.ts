import { noSpend, type Spend } from "../../core/agents/spend.ts";
import { askAgent } from "../agents/ask-agent.ts";
import { commitMessage } from "../../core/prompts/commit-message.ts";
import type { RunContext } from "../drivers/run-context.ts";
import { runTool, type ToolEnd } from "./run-tool.ts";

/** What a delivery did. A problem never ends the run: the work stays in the tree (CW-1J). */
export type Delivered = { isCut: boolean; commit: string | null; problem: string | null; spend: Spend };

/** Asked in text mode, word for word (S1-61). */
const messagePrompt =
  "Provide a short imperative commit message for the changes. Output only the message, no explanation.";

/** Runs the tasks of `scm` in order by argv, never by a shell (S1-63, CW-1F). The first failure ends the delivery. */
export async function deliver(context: RunContext, effect: { id: number }, signal: AbortSignal): Promise<Delivered> {
  const { scm } = context.frozen.settings;
  if (scm === null) throw new Error("delivery without scm settings");
  const marker = `${context.runId}.${effect.id}`;
  const tool = (args: string[]): Promise<ToolEnd> => runTool(context, { argv: [scm.command, ...args], marker, signal });
  const done: Delivered = { isCut: false, commit: null, problem: null, spend: noSpend };
  for (const task of scm.tasks) {
    if (signal.aborted) return { ...done, isCut: true };
    const step =
      task === "commit" ? await commit(context, { tool, marker, signal, stage: scm.stage }) : await plain(tool, task);
    done.commit = step.commit ?? done.commit;
    done.problem = step.problem;
    if (step.problem !== null) return { ...done, isCut: signal.aborted };
  }
  return done;
}

type TaskDone = { commit: string | null; problem: string | null };
type Committing = {
  tool: (args: string[]) => Promise<ToolEnd>;
  marker: string;
  signal: AbortSignal;
  stage: "tracked" | "all";
};

/** Stage, ask for the message, commit exactly what was staged. A clean tree is skipped without a word (CB-11). */
async function commit(context: RunContext, { tool, marker, signal, stage }: Committing): Promise<TaskDone> {
  const skipped = { commit: null, problem: null };
  const staged = await tool(["add", stage === "all" ? "-A" : "-u"]);
  if (staged.exitCode !== 0) return failed("add", staged);
  const clean = await tool(["diff", "--cached", "--quiet"]);
  if (clean.exitCode === 0) return skipped;
  const answer = await askAgent(context, { prompt: messagePrompt, marker, signal });
  const message = answer === null ? null : commitMessage(answer);
  if (message === null) return { commit: null, problem: "the agent gave no commit message; nothing was committed." };
  const committed = await tool(["commit", "-m", message]);
  if (committed.exitCode !== 0) return failed("commit", committed);
  const head = await tool(["rev-parse", "HEAD"]);
  return { commit: head.output.trim(), problem: null };
}

async function plain(tool: (args: string[]) => Promise<ToolEnd>, task: string): Promise<TaskDone> {
  const end = await tool(task.split(/\s+/));
  return end.exitCode === 0 ? { commit: null, problem: null } : failed(task, end);
}

function failed(task: string, end: ToolEnd): TaskDone {
  const last = end.output.trim().split("\n").at(-1) ?? "";
  return { commit: null, problem: `${task} exited with code ${end.exitCode}: ${last}` };
}
