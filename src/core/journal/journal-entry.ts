import type { Effect } from "../run/effect.ts";
import type { Observation } from "../run/observation.ts";
import type { UpgradeRecord } from "../run/upgrade/upgrade-note.ts";
import type { WorkEffect } from "../work/work-effect.ts";
import type { WorkObservation } from "../work/work-observation.ts";

/**
 * What happens in a run: something was seen and ordered, or the shell has a remark.
 *
 * @example
 * ```ts
 * import { type JournalNews } from "ralph";
 *
 * const note: JournalNews = { kind: "note", at: Date.now(), level: "info", text: "The disk is nearly full." };
 * console.log(note.text);
 * ```
 */
export type JournalNews = { at: number } & (
  | { kind: "step"; observation: Observation; effects: Effect[] }
  | {
      kind: "note";
      level: "info" | "warning";
      text: string;
      /** Only where a newer version took the run over: entries after this one fold on from its state. */
      upgraded?: UpgradeRecord;
      /** Only in an imported session run: lines of the session did not fold, so the entries before this one are not whole. */
      isGap?: true;
    }
);

/**
 * One step of a work run, whose engine is another one.
 *
 * @example
 * ```ts
 * import { type WorkStepNews } from "ralph";
 *
 * const line = ({ observation, effects }: WorkStepNews): string => `${observation.type}: ${effects.length} orders`;
 * console.log(typeof line);
 * ```
 */
export type WorkStepNews = { at: number; kind: "work-step"; observation: WorkObservation; effects: WorkEffect[] };

/** News as the journal remembers it, numbered within its run. */
export type JournalEntry = { runId: string; seq: number } & (JournalNews | WorkStepNews);
