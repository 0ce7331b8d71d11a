import type { Effect } from "../engine/effect.ts";
import type { Observation } from "../engine/observation.ts";

/** What happens in a run: something was seen and ordered, or the shell has a remark. */
export type JournalNews = { at: number } & (
  | { kind: "step"; observation: Observation; effects: Effect[] }
  | { kind: "note"; level: "info" | "warning"; text: string }
);

/** News as the journal remembers it, numbered within its run. */
export type JournalEntry = { runId: string; seq: number } & JournalNews;
