import { deliver } from "../delivery/deliver.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { Perform } from "./news.ts";
import { performTurn } from "./perform-turn.ts";
import { createSettingsWatch } from "./settings-watch.ts";
import { createLastLook, withLastLook } from "./turn-looks.ts";
import type { RunContext } from "../run-context.ts";

/** Carries out the effects of a run that loops one agent on a prompt. */
export function createPerform(context: RunContext, events: EventBuffer): Perform {
  const lookAtSettings = createSettingsWatch(context);
  const last = createLastLook<string>(context);
  return async (effect, signal, post) => {
    if (effect.type !== "begin-turn") last.forget();
    switch (effect.type) {
      case "begin-turn":
        await lookAtSettings();
        return performTurn(effect, { context: withLastLook(context, last), events, post, signal });
      case "run-gate":
        return post({ type: "gate-finished", effectId: effect.id, ...(await context.askGate(effect, signal)) });
      case "deliver":
        return post({ type: "delivery-finished", effectId: effect.id, ...(await deliver(context, effect, signal)) });
      case "set-timer":
        if (await context.clock.wait(effect.durationMs, signal)) post({ type: "timer-fired", effectId: effect.id });
    }
  };
}
