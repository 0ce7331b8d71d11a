import type { Verdict } from "../verification/verdict.ts";
import type { Gate } from "./gate.ts";

/** What is told of a check while it runs (no verdict yet) and when it has ended. */
export type CheckProgress = { gate: Pick<Gate, "name" | "tells">; verdict: Verdict | null };
