import type { ReadText, WatchedItem } from "../../../app/query/watched-log.ts";
import type { Gate } from "../../../core/contract/gate.ts";
import type { Verdict } from "../../../core/verification/verdict.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import { cleanOutput } from "../../../core/text/clean-text.ts";
import { type ConsoleSink, createConsoleSink } from "./console-sink.ts";
import { type Display, lookOf } from "./display-options.ts";
import { lineStamp } from "./lines/line-stamp.ts";
import { agentMark, createViewStyle, lineWidth, paintFor } from "./terminal-style.ts";

/** Shows the log of a run as the run showed itself. */
export type LogView = { show(watched: WatchedItem): Promise<void> };

/** A view of a log on standard output, where it looks as the settings of the run and the command line say. */
export function openLogView(settings: Settings, display: Display, readText: ReadText): LogView {
  const look = lookOf(settings, display, process.env);
  let at = new Date(0);
  const stamp = (): string => lineStamp(look, "ralph", at);
  const agentStamp = (): string => lineStamp(look, "agent", at);
  const print = (text: string): void => void process.stdout.write(cleanOutput(text));
  const sink = createConsoleSink(
    {
      out: print,
      say: (line) => print(`${line}\n`),
      paint: paintFor(process.stdout, look),
      width: () => lineWidth(process.stdout),
      viewStyle: createViewStyle(look, { textMark: agentMark, stamp: agentStamp }),
      stamp,
      agentStamp,
    },
    // Who follows a run wants to see its agent.
    { ...settings, streamAgentOutput: true },
  );
  const view = createLogView({ sink, readText });
  return {
    show(watched) {
      at = new Date(watched.item.at);
      return view.show(watched);
    },
  };
}

/** What a view of a log needs: where it is shown, and the long texts of verdicts. */
export type LogViewOptions = { sink: ConsoleSink; readText: ReadText };

/** The journal does not say when a check begins; its order and its verdict do. */
export function createLogView({ sink, readText }: LogViewOptions): LogView {
  const gates = new Map<number, Gate>();
  const showVerdict = async (gate: Gate, verdict: Verdict): Promise<void> => {
    if (verdict.isPassed || gate.tells !== "output") return sink.check({ gate, verdict });
    sink.check({ gate, verdict, output: await readText(verdict.output) });
  };
  return {
    async show({ item, state }) {
      if ("event" in item) return sink.agentEvent(item.event, item.effectId);
      if (item.kind === "work-step") return;
      if (item.kind === "note") return sink.entry(item, state);
      const { observation, effects } = item;
      if (observation.type === "gate-finished") {
        const gate = gates.get(observation.effectId);
        gates.delete(observation.effectId);
        if (gate !== undefined) for (const verdict of observation.verdicts) await showVerdict(gate, verdict);
      }
      sink.entry(item, state);
      for (const effect of effects) {
        if (effect.type !== "run-gate" || !isShown(effect.gate)) continue;
        gates.set(effect.id, effect.gate);
        sink.check({ gate: effect.gate, verdict: null });
      }
    },
  };
}

/** A look before the first turn, and what speaks only by its notes, is not a check to watch. */
function isShown({ when, tells }: Gate): boolean {
  return when !== "before-first-turn" && tells !== "notes";
}
