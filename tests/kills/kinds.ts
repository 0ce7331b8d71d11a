import type { OpenScene } from "./scene.ts";
import { openPrdScene } from "./prd-scene.ts";
import { openRunScene } from "./run-scene.ts";
import { openSuperviseScene } from "./supervise-scene.ts";
import { openWorkScene } from "./work-scene.ts";

/** The kinds of runs with a driver of their own. */
export const drivenKinds = ["run", "work", "prd", "supervise"] as const;
export type DrivenKind = (typeof drivenKinds)[number];

export const scenes: Record<DrivenKind, OpenScene> = {
  run: openRunScene,
  work: openWorkScene,
  prd: openPrdScene,
  supervise: openSuperviseScene,
};
