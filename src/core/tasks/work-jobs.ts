/** Tasks at once; more are a typing error. */
export const jobsMax = 64;

/** Whether this many tasks at once need a work tree each: agents side by side in one directory undo each other. */
export function lacksWorktrees({ jobs, isInWorktrees }: { jobs: number; isInWorktrees: boolean }): boolean {
  return jobs > 1 && !isInWorktrees;
}
