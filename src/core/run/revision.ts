/** One thing that people changed between two turns. */
export type RevisionChange = {
  kind: "prd" | "list" | "story-added" | "story-removed" | "story" | "criterion" | "command";
  /** Null: the list or the PRD as a whole. */
  taskId: string | null;
  field: string;
  from: unknown;
  to: unknown;
  /** Less is checked than before: a person has to say that this is meant. */
  isCheckRemoved: boolean;
  text: string;
};

/** What people changed while no agent was at work; plain JSON, for the journal and the contract. */
export type Revision = { changes: RevisionChange[]; /** Changes beyond those listed. */ more: number };
