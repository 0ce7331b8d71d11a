/** What the agent is for one turn of a run with a task list. */
export type TurnRole = "implement" | "review" | "review-fix";

/** Who works on what next. */
export type Assignment = { role: TurnRole; taskId: string };
