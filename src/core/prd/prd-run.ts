import type { ReviewOptions } from "./list/task-file.ts";

/** What a run on a task list was started with. */
export type PrdRun = {
  /** The folder of `prd.md`, `tasks.json`, `progress.txt` and `prompt.md`, and its name for people. */
  folder: { path: string; name: string };
  review: ReviewOptions;
  /** A separate agent for reviews; null: the same agent. */
  reviewer: { command: string | null; flags: string[] | null; model: string | null };
  /** The PRD is read-only: ralph restores this text after a change. */
  prd: string;
  /**
   * How many guardrails come from the settings; verify commands of the list follow them. Absent in runs of older
   * versions, whose commands never change.
   */
  settingsGuardrails?: number;
};
