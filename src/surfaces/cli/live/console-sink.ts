import type { CheckProgress } from "../../../core/contract/check-progress.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { RunSink } from "../../../shell/sinks/sink.ts";
import { emptyAgentView, endAgentLine, showAgentEvent } from "./agent-view.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import type { Paint } from "../terminal/paint.ts";
import { checkLine, emptyTally, entryLines, outcomeFormat, outcomeText, type RunLine } from "./run-lines.ts";
import type { ViewStyle } from "./view-style.ts";

/** The outputs: the agent's view to standard output, ralph's own lines to standard error. */
export type Console = {
  out: (text: string) => void;
  say: (line: string) => void;
  /** The colours of ralph's own lines. */
  paint: Paint;
  /** The present style of the agent's view: a terminal can change its width. */
  viewStyle: () => ViewStyle;
  /** What each line begins with, such as the time. */
  stamp: () => string;
};

export type ConsoleSink = RunSink & { check: (progress: CheckProgress) => void };

/** Shows a run to a person as it happens. */
export function createConsoleSink(target: Console, settings: Settings): ConsoleSink {
  let view = emptyAgentView;
  let turnId = 0;
  let tally = emptyTally;
  let isLineBegun = false;
  const out = (text: string): void => {
    if (text === "") return;
    target.out(stamped(text, target.stamp(), isLineBegun));
    isLineBegun = !text.endsWith("\n");
  };
  const say = (line: RunLine): void => {
    const [ended, lineEnd] = endAgentLine(view);
    view = ended;
    out(lineEnd);
    target.say(ownLine(line, target));
  };
  return {
    agentEvent(event, effectId) {
      if (!settings.streamAgentOutput) return;
      if (effectId !== turnId) {
        turnId = effectId;
        out(endAgentLine(view)[1]);
        view = emptyAgentView;
      }
      const [next, text] = showAgentEvent(view, event, target.viewStyle());
      view = next;
      out(text);
    },
    check: (progress) => say(checkLine(progress, settings)),
    entry(entry, state) {
      const [next, lines] = entryLines(tally, entry, { state, settings });
      tally = next;
      lines.forEach(say);
    },
  };
}

/** Prints only how the run ended. */
export function createQuietSink(target: Pick<Console, "say" | "paint" | "stamp">): ConsoleSink {
  return {
    agentEvent: () => {},
    check: () => {},
    entry(entry) {
      if (entry.kind === "note") return;
      for (const effect of entry.effects) {
        if (effect.type !== "end-run") continue;
        const line = { text: outcomeText(effect.outcome), format: outcomeFormat(effect.outcome) };
        target.say(ownLine(line, target));
      }
    },
  };
}

/** Ralph's own line. Words of the agent in it, such as a reason, stay on it and do nothing to the terminal. */
function ownLine({ text, format }: RunLine, { paint, stamp }: Pick<Console, "paint" | "stamp">): string {
  return stamp() + paint(format, cleanLine(text));
}

/** The text with a stamp at the beginning of each of its lines. */
function stamped(text: string, stamp: string, isLineBegun: boolean): string {
  if (stamp === "") return text;
  return (isLineBegun ? "" : stamp) + text.replaceAll(/\n(?=[^])/g, `\n${stamp}`);
}
