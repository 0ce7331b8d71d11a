import type { ReviewRole } from "../prd/list/task-file.ts";
import { fillTemplate } from "../text/fill-template.ts";

/** The facts of a turn that its prompt names. */
export type TaskFilePromptValues = {
  iteration: number;
  /** Null: no limit. */
  iterationsMax: number | null;
  role: ReviewRole;
  taskId: string;
  reviewCap: number;
  isReviewSkipped: boolean;
  /** As people write it, from the project directory. */
  ralphDir: string;
};

/**
 * The prompt of one turn from `prompt.md` (S4-10, S4-63). A block `<!-- only: review -->` … `<!-- end -->` stays when all
 * its words fit the turn: the role, and `with-review` or `skip-review`. A template without blocks is filled as it is.
 * `$RALPH_ITERATION` and `$RALPH_MAX_ITERATIONS` are filled as the placeholders are.
 */
export function fillTaskFilePrompt(template: string, values: TaskFilePromptValues): string {
  const active = [values.role, values.isReviewSkipped ? "skip-review" : "with-review"];
  const chosen = template.replaceAll(block, (_, words: string, body: string) =>
    words.split(/\s+/).every((word) => active.includes(word)) ? body : "",
  );
  const named = chosen.replaceAll(variable, (_, inBraces?: string, bare?: string) => `{{${inBraces ?? bare}}}`);
  return fillTemplate(named.replaceAll(/\n{3,}/g, "\n\n"), {
    ITERATION: String(values.iteration),
    MAX_ITERATIONS: values.iterationsMax === null ? "any number" : String(values.iterationsMax),
    ROLE: values.role,
    TASK: values.taskId,
    REVIEW_CAP: String(values.reviewCap),
    RALPH_DIR: values.ralphDir,
    DONE_CONDITION: values.isReviewSkipped ? "has `passes: true`" : "is approved and has `passes: true`",
  });
}

const block = /<!-- only: ([\w -]+?) -->\r?\n([^]*?)<!-- end -->\r?\n?/g;

/** As a shell writes them: `$RALPH_ITERATION`, `${RALPH_MAX_ITERATIONS}`. */
const variable = /\$(?:\{RALPH_(ITERATION|MAX_ITERATIONS)\}|RALPH_(ITERATION|MAX_ITERATIONS)\b)/g;
