import type { Assignment } from "../contract/assignment.ts";
import type { TextRef } from "../verification/verdict.ts";

/** The last legal task list. Ralph compares an agent's edits with this, never with a file the agent can write. */
export type TaskListState = {
  /** The file's text; ralph restores it when the agent breaks the file. */
  copy: TextRef;
  /** The PRD after people changed it between turns; absent: as at the start of the run. */
  prd?: TextRef;
  /** Null: nothing is left to do. */
  assignment: Assignment | null;
  /** Paths that differed from HEAD before the turn, with their hashes, as JSON. */
  dirty: TextRef;
};
