import type { Outcome, OutcomeName } from "../run/outcome.ts";
import type { TaskStatus } from "../tasks/task.ts";

/**
 * How a task's part in a work run ended; without an outcome it never began.
 *
 * @example
 * ```ts
 * import { runTasks, type TaskEnd } from "ralph";
 *
 * const ends: TaskEnd[] = [];
 * const tasks = [{ id: "greet", title: "Greet the user" }];
 * const agent = () => "<promise>IMPLEMENTATION_COMPLETE</promise>";
 * const settings = { verifyCommand: "true" };
 * await runTasks({ tasks, roles: ["coder"], agent, settings, onTaskEnd: (end) => ends.push(end) }).outcome;
 * console.log(ends[0]?.status); // done
 * ```
 */
export type TaskEnd = { id: string; status: TaskStatus; outcome: Outcome | null; reason: string };

/** Which outcome stands for the whole when tasks differ: what needs a person first, first. */
const precedence: OutcomeName[] = ["cancelled", "interrupted", "failed", "stopped", "waiting", "exhausted"];

/**
 * The outcome of a work run: the gravest that any task has, or that was asked of the work itself. One done task that rests on
 * the agents' word alone makes a completed work an unverified one.
 */
export function workOutcome(ends: readonly TaskEnd[], asked: Outcome | null): Outcome {
  const found = [...(asked === null ? [] : [asked]), ...ends.flatMap(({ outcome }) => outcome ?? [])];
  const name = precedence.find((each) => found.some((outcome) => outcome.name === each)) ?? "completed";
  const isBelieved = name === "completed" && ends.some(({ outcome }) => outcome?.isVerified === false);
  return { name, reason: reasonOf(name, ends, asked), ...(isBelieved ? { isVerified: false } : {}) };
}

function reasonOf(name: OutcomeName, ends: readonly TaskEnd[], asked: Outcome | null): string {
  const done = ends.filter(({ status }) => status === "done").length;
  const sum = `${done} of ${ends.length} ${ends.length === 1 ? "task" : "tasks"} done.`;
  if (name === "completed") return sum;
  if (asked?.name === name) return `${asked.reason} ${sum}`;
  const gravest = ends.find(({ outcome }) => outcome?.name === name);
  return gravest === undefined ? sum : `${sum} ${gravest.id}: ${gravest.reason}`;
}

/** The closing line about a task that was edited while a run worked on its former version. */
export function editedSentence(
  { id, status }: TaskEnd,
  { worked, stored }: { worked: number; stored: number },
): string {
  const how = status === "done" ? "verified" : "worked on";
  return `Task ${id} was edited during the run; the run ${how} version ${worked}. Run ralph work again for version ${stored}.`;
}
