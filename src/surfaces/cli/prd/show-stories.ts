import type { TaskFile } from "../../../core/prd/list/task-file.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";

/** Shows a list that was just planned; exit code 0. */
export function showStories(file: TaskFile, sentence: string): number {
  const lines = file.tasks.map(({ id, title, dependsOn }) =>
    cleanLine(`${id}  ${title}${dependsOn.length === 0 ? "" : ` (after ${dependsOn.join(", ")})`}`),
  );
  process.stdout.write(`${lines.join("\n")}\n`);
  process.stderr.write(`${sentence} Look at it: ralph prd status\n`);
  return 0;
}
