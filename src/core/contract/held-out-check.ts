/** A check whose command, files and output only people see. */
export type HeldOutCheck = {
  name: string;
  command: string;
  files: HeldOutFile[];
  /** What the agent is told when it fails; null: only that one failed. */
  hint: string | null;
  /** Tasks that it belongs to; empty: every run. */
  tasks: string[];
};

/** A file that the check finds at `.held-out/<path>`, frozen with the run. */
export type HeldOutFile = { path: string; hash: string };
