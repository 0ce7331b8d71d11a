import { noSpend } from "../../core/agents/spend.ts";
import type { PendingEffect } from "../../core/engine/effect.ts";
import { runGuardrails } from "../checks/run-guardrails.ts";
import { deliver } from "../scm/deliver.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { News, Perform } from "./outer-driver.ts";
import { performTurn } from "./perform-turn.ts";
import type { RunContext } from "./run-context.ts";

/** Carries out the effects of a run that loops one agent on a prompt. */
export function createPerform(context: RunContext, events: EventBuffer): Perform {
  return async (effect, signal, post) => {
    switch (effect.type) {
      case "begin-turn":
        return performTurn(effect, { context, events, post, signal });
      case "run-checks":
        return post(await performChecks(effect, context, signal));
      case "deliver":
        return post({ type: "delivery-finished", effectId: effect.id, ...(await deliver(context, effect, signal)) });
      case "repair-tasks":
        throw new Error("a run without a task list has nothing to repair");
      case "set-timer":
        if (await context.clock.wait(effect.durationMs, signal)) post({ type: "timer-fired", effectId: effect.id });
    }
  };
}

async function performChecks(
  effect: Extract<PendingEffect, { type: "run-checks" }>,
  context: RunContext,
  signal: AbortSignal,
): Promise<News> {
  if (effect.of !== "guardrails") throw new Error(`a plain run has no ${effect.of}`);
  const { verdicts, isCut } = await runGuardrails({
    processes: context.processes,
    disk: context.disk,
    keepText: context.keepText,
    projectDir: context.frozen.projectDir,
    env: { ...context.env, RALPH_RUN_ID: context.runId, RALPH_TURN: `${context.runId}.${effect.id}` },
    settings: context.frozen.settings,
    iteration: effect.iteration,
    wallMs: effect.wallMs,
    marker: `${context.runId}.${effect.id}`,
    killGraceMs: context.killGraceMs,
    signal,
    onProgress: context.onCheck,
  });
  return { type: "checks-finished", effectId: effect.id, verdicts, isCut, spend: noSpend };
}
