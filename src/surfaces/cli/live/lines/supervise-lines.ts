import { describeTurnEnd, isFailedTurn, type TurnReport } from "../../../../core/agents/turn-report.ts";
import type { Effect } from "../../../../core/run/effect.ts";
import type { Observation } from "../../../../core/run/observation.ts";
import type { Outcome } from "../../../../core/run/outcome.ts";
import type { RunState } from "../../../../core/run/state.ts";
import { formatDuration } from "../../../../core/text/duration.ts";
import type { RunLine } from "./run-lines.ts";

/** The lines of a supervised run: attempts, counted from 1, and why each ended (S3-19). */
export function superviseLines(
  { observation, effects }: { observation: Observation; effects: Effect[] },
  state: RunState,
): RunLine[] {
  const outcome = endOf(effects);
  if (outcome?.name === "failed") return [{ format: "red", text: `Fatal error: ${outcome.reason}` }];
  const isRestarted = effects.some(({ type }) => type === "set-timer" || type === "begin-turn");
  const lines = observationLines(observation, state, isRestarted);
  if (outcome?.name === "exhausted") lines.push(`Attempt ${state.iteration}: Max restarts exceeded, stopping`);
  if (outcome?.name === "waiting") lines.push("Wait-without-restart signal detected");
  const asked = effects.find((effect) => effect.type === "run-gate");
  if (asked?.gate.tells === "notes") lines.push(`DONE found, waiting for: ${asked.gate.name}`);
  return lines.map((text) => ({ format: "yellow", text }));
}

/** Whether a permanent error ends the run with this step: its one line says everything (S3-34). */
export function isFatal(effects: readonly Effect[]): boolean {
  return endOf(effects)?.name === "failed";
}

function endOf(effects: readonly Effect[]): Outcome | null {
  return effects.find((effect) => effect.type === "end-run")?.outcome ?? null;
}

function observationLines(observation: Observation, state: RunState, isRestarted: boolean): string[] {
  const { iterationsMax } = state.policy;
  if (observation.type === "turn-started") {
    const { iteration } = state;
    return iteration === 1
      ? ["Starting agent (attempt 1)"]
      : [`Restarting agent (attempt ${iteration}/${iterationsMax})`, `Starting agent (attempt ${iteration})`];
  }
  return observation.type === "turn-ended" ? endLines(observation.report, state, isRestarted) : [];
}

function endLines(report: TurnReport, { iteration, policy }: RunState, isRestarted: boolean): string[] {
  if (report.isCut || report.isSkipped || !isFailedTurn(report)) return [];
  if (report.startError !== null)
    return report.startError.kind === "resources" ? [`Transient error: ${report.startError.message}`] : [];
  // A turn may last as long as it may itself, and no longer than the whole run may.
  const wallMs = Math.min(policy.turnWallMs ?? Number.POSITIVE_INFINITY, policy.budgetMs ?? Number.POSITIVE_INFINITY);
  const limitMs = report.timedOut === "idle" ? (policy.turnIdleMs ?? 0) : wallMs;
  const silence = report.timedOut === "idle" ? " without output" : "";
  const isLast = policy.iterationsMax !== null && iteration >= policy.iterationsMax;
  const next = isRestarted && !isLast ? `, restarting (attempt ${iteration + 1}/${policy.iterationsMax})` : "";
  if (report.timedOut !== null)
    return [
      `Agent timeout after ${formatDuration(limitMs)}${silence}, killing process group`,
      "Process group killed, treating as failure",
    ];
  const how = report.exitCode === null ? `by ${report.signal}` : `with exit code ${report.exitCode}`;
  const why = report.failure === null ? [] : [`Transient error: ${describeTurnEnd(report)}`];
  return [...why, `Agent failed ${how}${next}`];
}
