/**
 * `pr`, alone or with words for the program that opens it, such as `pr --draft`: delivered once, after completion. Every
 * other task of `scm.tasks` comes after each iteration with green guardrails.
 */
export function isFinalTask(task: string): boolean {
  return /^pr(?:\s|$)/.test(task);
}

/** The tasks of a delivery: those of an iteration, or those after completion (S1-63). */
export function dueTasks(tasks: readonly string[], isFinal: boolean): string[] {
  return tasks.filter((task) => isFinalTask(task) === isFinal);
}
