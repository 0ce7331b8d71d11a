import type { Dispute } from "../../core/verification/sealed/judge-dispute.ts";
import { runInCopy } from "../seal/check-in-copy.ts";
import type { OpenSeal, SealedContent } from "../seal/open-seal.ts";
import type { RunSeal, SealedResult } from "../seal/run-seal.ts";
import type { SealedCheckEnd } from "../seal/sealed-checks.ts";
import type { WrittenTree } from "../seal/copy/tree-files.ts";
import type { GateContext, GateRequest } from "./gate-kind.ts";

/** One sealed verification of one candidate. */
export type SealedScene = {
  context: GateContext["context"] & { seal: RunSeal };
  request: GateRequest;
  candidate: string;
  seal: OpenSeal;
  /** What the checks of this iteration have shown in the copy, but for those that an earlier gate verified. */
  results: ReadonlyMap<string, SealedResult>;
  written: WrittenTree;
  /** By the monotonic clock, when all of it has to be over. */
  dueMs: number;
  markers: { count: number };
};

/** Why a step refuses the claim, or null when it does not; `cut`: it was told to end, and says nothing. */
export type StepEnd = { problem: string | null; dispute?: Dispute } | "cut";

/** What a further run differs in. */
type Again = Pick<SealedContent, "variant" | "overlay"> & { command: string; limitMs?: number };

/** Runs a check of the scene once more, in a fresh copy. Rejects when the time of the verification is used up. */
export async function runAgain(scene: SealedScene, order: Again): Promise<SealedCheckEnd | "cut"> {
  const { command, variant, overlay, limitMs = Infinity } = order;
  const { context, request, candidate, seal, dueMs, markers } = scene;
  markers.count += 1;
  const restMs = dueMs - context.clock.upMs();
  if (restMs <= 0) throw new Error("the time for one sealed verification (seal.timeout) is used up");
  const wallMs = Math.min(restMs, limitMs);
  const run = {
    candidate,
    variant,
    ...(overlay === undefined ? {} : { overlay }),
    command,
    turnMarker: `${context.runId}.${request.effectId}/${markers.count}`,
    wallMs: Number.isFinite(wallMs) ? Math.round(wallMs) : null,
    log: null,
    signal: request.signal,
    isAfresh: true as const,
  };
  const ended = await runInCopy(seal, run, context);
  return ended.end.kind === "cut" ? "cut" : ended;
}
