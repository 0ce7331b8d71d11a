import { assert } from "../../core/assert.ts";
import { noSpend } from "../../core/agents/spend.ts";
import type { PendingEffect } from "../../core/engine/effect.ts";
import { runGuardrails } from "../checks/run-guardrails.ts";
import type { Gates } from "../ports.ts";
import { deliver } from "../scm/deliver.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { News, Perform } from "./outer-driver.ts";
import { performTurn } from "./perform-turn.ts";
import { createSettingsWatch } from "./settings-watch.ts";
import type { RunContext } from "./run-context.ts";

/** Carries out the effects of a run that loops one agent on a prompt. */
export function createPerform(context: RunContext, events: EventBuffer): Perform {
  const lookAtSettings = createSettingsWatch(context);
  return async (effect, signal, post) => {
    switch (effect.type) {
      case "begin-turn":
        await lookAtSettings();
        return performTurn(effect, { context, events, post, signal });
      case "run-checks":
        return post(await performChecks(effect, context, signal));
      case "deliver":
        return post({ type: "delivery-finished", effectId: effect.id, ...(await deliver(context, effect, signal)) });
      case "repair-tasks":
        return post({
          type: "tasks-repaired",
          effectId: effect.id,
          ...(await gatesOf(context).repairTasks(effect)),
        });
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
  const { id: effectId, of, iteration, wallMs } = effect;
  if (of === "criteria" || of === "children")
    return {
      type: "checks-finished",
      effectId,
      ...(await gatesOf(context).runChecks({ of, effectId, iteration, wallMs, signal })),
    };
  const isBaseline = of === "baseline";
  const { verdicts, isCut } = await runGuardrails({
    processes: context.processes,
    disk: context.disk,
    keepText: context.keepText,
    projectDir: context.frozen.projectDir,
    env: { ...context.env, RALPH_RUN_ID: context.runId, RALPH_TURN: `${context.runId}.${effect.id}` },
    settings: context.frozen.settings,
    iteration,
    wallMs,
    marker: `${context.runId}.${effect.id}`,
    killGraceMs: context.killGraceMs,
    signal,
    hasLogs: !isBaseline,
    onProgress: isBaseline ? () => {} : context.onCheck,
  });
  const guardrails = { type: "checks-finished" as const, effectId, verdicts, isCut, spend: noSpend };
  if (!isBaseline || isCut || context.gates === null) return guardrails;
  const criteria = await context.gates.runChecks({ of, effectId, iteration, wallMs, signal });
  return { ...guardrails, ...criteria, verdicts: [...verdicts, ...criteria.verdicts] };
}

/** The policy of a run without such gates never orders them. */
function gatesOf({ gates }: RunContext): Gates {
  assert(gates !== null, "an effect of a gate needs the gate");
  return gates;
}
