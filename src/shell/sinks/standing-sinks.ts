import type { Sink } from "./sink.ts";

/** Every reader of runs that does not belong to one surface or program. Hooks load this file: a reader must start fast. */
export const standingSinks: readonly Sink[] = [];
