import { RalphError } from "../../core/ralph-error.ts";
import { type GenerationInput, generationPrompt, repairPrompt, yamlOf } from "../../core/prompts/generate-tasks.ts";
import { type ImportPlan, planImport, taskProblemLine } from "../../core/tasks/plan-import.ts";
import type { Task } from "../../core/tasks/task.ts";
import { type AskContext, askAgent } from "../agents/ask-agent.ts";
import { parseTasks } from "./task-files.ts";

/** A plan of what may be stored, or why it is missing. `asked` is the number of paid calls of the agent. */
export type Generated = ({ plan: ImportPlan } | { problems: string }) & { asked: number };

/** Many tasks are a long answer. */
const answerCharsMax = 400_000;
const answerWallMs = 30 * 60_000;

/** Asks the agent for tasks; when they cannot be used, asks once more with everything that was wrong. */
export async function generateTasks(
  context: AskContext,
  input: GenerationInput & { stored: readonly Task[]; at: number },
  signal: AbortSignal,
): Promise<Generated> {
  const ask = (prompt: string, count: number): Promise<string | null> =>
    askAgent(context, {
      purpose: "agent",
      prompt,
      turnMarker: `${context.runId}.${count}`,
      signal,
      wallMs: answerWallMs,
      charsMax: answerCharsMax,
    });
  const first = await ask(generationPrompt(input), 1);
  if (first === null) return { problems: noAnswer, asked: 1 };
  const plan = readAnswer(first, input);
  if ("writes" in plan) return { plan, asked: 1 };
  if (signal.aborted) return { ...plan, asked: 1 };
  const second = await ask(repairPrompt(input, first, plan.problems), 2);
  if (second === null) return { problems: `${plan.problems}\n${noAnswer}`, asked: 2 };
  const repaired = readAnswer(second, input);
  return "writes" in repaired ? { plan: repaired, asked: 2 } : { ...repaired, asked: 2 };
}

const noAnswer = "the agent gave no answer";

/** Tasks written by an agent must have criteria: nobody else will add them (S2-52). */
function readAnswer(
  answer: string,
  { stored, at }: { stored: readonly Task[]; at: number },
): ImportPlan | { problems: string } {
  try {
    const plan = planImport([parseTasks(yamlOf(answer), "answer")], { stored, isReplacing: false, at });
    if ("problems" in plan) return { problems: plan.problems.map(taskProblemLine).join("\n") };
    const bare = plan.writes.filter(({ task }) => task.completion === null).map(({ task }) => task.id);
    return bare.length === 0
      ? plan
      : { problems: bare.map((id) => `answer: task ${id}: completion: is required`).join("\n") };
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { problems: error.message };
  }
}
