import type { Assignment } from "../contract/assignment.ts";
import type { TextRef } from "../verification/verdict.ts";

/** The task list as it last was in order. What an agent edits is compared with this, never with a file it can write. */
export type TaskListState = {
  /** The file's text; it comes back when the agent breaks the file. */
  copy: TextRef;
  /** The PRD after people changed it between turns; absent: as the run was started with it. */
  prd?: TextRef;
  /** Null: nothing is left to do. */
  assignment: Assignment | null;
  /** Paths that differed from HEAD before the turn, with their hashes, as JSON. */
  dirty: TextRef;
};
