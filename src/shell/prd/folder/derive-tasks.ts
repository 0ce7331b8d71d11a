import { deriveAgainPrompt, derivePrompt } from "../../../core/prompts/derive-prompt.ts";
import { readDerivedTasks } from "../../../core/prd/list/derived-tasks.ts";
import type { TaskFileReading } from "../../../core/prd/list/read-task-file.ts";
import type { Answer } from "../../agents/ask-agent.ts";
import { readTemplate } from "./templates.ts";

/** What the stories are derived from. */
export type DeriveOptions = { prd: string; project: string; ralphDir: string };

/**
 * Has an agent derive the stories of a PRD, and once more with the problems named when the answer is no list that could
 * be run (S4-86, mode 2). Writes nothing.
 */
export async function deriveTasks(
  ask: (prompt: string) => Promise<Answer>,
  { prd, project, ralphDir }: DeriveOptions,
): Promise<TaskFileReading> {
  const planning = readTemplate("plan.md").replaceAll("{{RALPH_DIR}}", ralphDir);
  const prompt = derivePrompt({ planning, prd, project });
  const first = read(await ask(prompt));
  return first.file === undefined ? read(await ask(deriveAgainPrompt(prompt, first.problems))) : first;
}

function read(answer: Answer): TaskFileReading {
  return answer === null ? { problems: ["The agent failed and gave no answer."] } : readDerivedTasks(answer);
}
