import type { PendingEffect } from "../../core/run/effect.ts";
import type { Moment, Observation } from "../../core/run/observation.ts";
import type { RunState } from "../../core/run/state.ts";

/** An observation before the driver stamps it with the time. */
export type News = Observation extends infer Each
  ? Each extends Observation
    ? Omit<Each, keyof Moment>
    : never
  : never;

/** Carries out one effect and reports. Must not reject: what goes wrong in the world is an observation. */
export type Perform = (effect: PendingEffect, signal: AbortSignal, post: (news: News) => void) => Promise<void>;

/** What a paused run continues with, beside the request; null: it cannot continue yet. Must not reject. */
export type BeforeGoOn = (
  state: RunState,
) => Promise<Pick<Extract<News, { type: "asked" }>, "begin" | "revision" | "change"> | null>;
