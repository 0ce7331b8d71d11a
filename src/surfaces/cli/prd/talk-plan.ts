import type { Planning } from "../../../app/prd/derive-list.ts";
import { talkList } from "../../../app/prd/talk-list.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { showStories } from "./show-stories.ts";

/** The person and the agent plan on this terminal; afterwards the state of the list is printed (S4-86). */
export async function talkPlan(planning: Planning): Promise<number> {
  const name = `${planning.place.folder.name}/tasks.json`;
  const { file, problems, isUntouched } = await talkList(planning);
  if (file !== undefined) return showStories(file, `${name} is ready.`);
  const sentence = isUntouched ? `${name} is still the template.` : `${name} cannot be run yet:`;
  const lines = isUntouched ? [] : problems.map((problem) => `  ${cleanLine(problem)}`);
  process.stderr.write(`${[sentence, ...lines, "Continue with: ralph prd plan"].join("\n")}\n`);
  return 2;
}
