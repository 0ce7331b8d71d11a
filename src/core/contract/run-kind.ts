/** Which surface the run belongs to; it differs in policy, never in the loop. */
export type RunKind = "run" | "supervise" | "prd" | "work" | "session";
