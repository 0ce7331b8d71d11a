declare const RALPH_VERSION: string | undefined;

/** Set at build time; source that was not built calls itself `dev` (S1-02). */
export const version = typeof RALPH_VERSION === "string" ? RALPH_VERSION : "dev";
