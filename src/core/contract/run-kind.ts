/** The surface of the run; surfaces differ in policy, never in the loop. */
export type RunKind = "run" | "supervise" | "prd" | "work" | "session";
