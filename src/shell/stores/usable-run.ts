import type { RunState } from "../../core/run/state.ts";
import { isRefusal, upgradeRun } from "../../core/run/upgrade/upgrade-run.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { asOwn } from "../lib/as-own.ts";
import { sha256 } from "./sha256.ts";

/** A stored run before anybody looked into it. */
export type StoredRun = { id: string; kind: string; state: unknown; frozen: unknown };

/** The run as this version uses it, and the version that stored it. Throws when it cannot be used. */
export function usableRun(run: StoredRun): { state: RunState; frozen: FrozenRun; from: number } {
  const upgraded = upgradeRun(run, sha256);
  if (isRefusal(upgraded)) throw unusableRun(run, upgraded);
  const { state, frozen, from } = upgraded;
  if (frozen === null) throw unusableRun(run, { version: from, problem: "what it was started with is not readable" });
  return { state, frozen: asOwn<FrozenRun>(frozen), from };
}

/** What a list says of a run that it cannot show; null: it can. */
export function refusalOf(run: StoredRun): string | null {
  try {
    usableRun(run);
    return null;
  } catch (error) {
    if (error instanceof RalphError) return error.message;
    throw error;
  }
}

function unusableRun(run: StoredRun, { version, problem }: { version: number | null; problem: string }): RalphError {
  const stored = version === null ? "was stored by an unknown version" : `was stored by version ${version}`;
  return new RalphError(
    "store",
    `Run ${run.id} ${stored} and cannot be used: ${problem}.`,
    `Start a new one with \`${commands.get(run.kind) ?? "ralph run"}\`.`,
  );
}

const commands = new Map([
  ["supervise", "ralph supervise"],
  ["prd", "ralph prd run"],
  ["work", "ralph work"],
]);
