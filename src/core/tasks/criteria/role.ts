/** The roles of a task in their order; each role is a loop of its own. */
export const roles = ["coder", "reviewer", "tester", "qa"] as const;

/** What the agent is while it works on a task. */
export type Role = (typeof roles)[number];
