import type { ReviewOptions } from "./task-file.ts";

/** What a run on a task list was started with. */
export type PrdRun = {
  /** Where `prd.md`, `tasks.json`, `progress.txt` and `prompt.md` lie: the folder, and as people write it. */
  folder: { path: string; name: string };
  review: ReviewOptions;
  /** Who reviews, where that is another agent; null takes over what implements. */
  reviewer: { command: string | null; flags: string[] | null; model: string | null };
  /** The PRD is read-only: this text comes back when it was changed. */
  prd: string;
  /**
   * How many guardrails are the settings' own; verify commands of the list stand after them. Absent in runs of older
   * versions, whose commands stay as they were at the start.
   */
  settingsGuardrails?: number;
};
