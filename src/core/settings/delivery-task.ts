/**
 * `pr`, alone or with words for the program that opens it, such as `pr --draft`: delivered once, after completion. Every
 * other task of `scm.tasks` comes after each iteration with green guardrails.
 */
export function isFinalTask(task: string): boolean {
  return /^pr(?:\s|$)/.test(task);
}
