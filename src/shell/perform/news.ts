import type { PendingEffect } from "../../core/run/effect.ts";
import type { News } from "../../core/run/news.ts";
import type { RunState } from "../../core/run/state.ts";

/** Carries out one effect and reports. Must not reject: what goes wrong in the world is an observation. */
export type Perform = (effect: PendingEffect, signal: AbortSignal, post: (news: News) => void) => Promise<void>;

/** What a paused run continues with, beside the request; null: it cannot continue yet. Must not reject. */
export type BeforeGoOn = (
  state: RunState,
) => Promise<Pick<Extract<News, { type: "asked" }>, "begin" | "revision" | "change"> | null>;
