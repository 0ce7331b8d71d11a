import type { CheckProgress } from "../../../core/contract/check-progress.ts";
import { outcomeSentence } from "../../../core/run/outcome.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import type { RunSink } from "../../../shell/sinks/sink.ts";
import { startAgentView, endAgentLine, showAgentEvent } from "./lines/agent-view.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import type { Paint } from "../terminal/paint.ts";
import { checkLine, emptyTally, entryLines, outcomeFormat, type RunLine } from "./lines/run-lines.ts";
import { cutToWidth, displayWidth } from "../terminal/display-width.ts";
import { wrapWords } from "../terminal/wrap-words.ts";
import { headLines } from "./lines/tool-lines.ts";
import type { ViewStyle } from "./lines/view-style.ts";

/** The outputs: the agent's view to standard output, ralph's own lines to standard error. */
export type Console = {
  out: (text: string) => void;
  say: (line: string) => void;
  /** The colours of ralph's own lines. */
  paint: Paint;
  /** The cells that ralph's own lines may take; null: they are not broken. */
  width: () => number | null;
  /** The present style of the agent's view: a terminal can change its width. */
  viewStyle: () => ViewStyle;
  /** What each line of ralph's own begins with, such as the time. */
  stamp: () => string;
  /** The same for the lines of the agent's view. */
  agentStamp: () => string;
};

/** `prompt` is told the prompt of each turn; `endLine` ends an unfinished line of the agent before other words follow. */
export type ConsoleSink = RunSink & {
  check: (progress: CheckProgress) => void;
  prompt?: (text: string) => void;
  endLine?: () => void;
};

/** Shows a run to a person as it happens. */
export function createConsoleSink(target: Console, settings: Settings): ConsoleSink {
  let view = startAgentView();
  let turnId = 0;
  let tally = emptyTally;
  let isLineBegun = false;
  const out = (text: string): void => {
    if (text === "") return;
    target.out(stamped(text, target.agentStamp(), isLineBegun));
    isLineBegun = !text.endsWith("\n");
  };
  const endLine = (): void => {
    const [ended, lineEnd] = endAgentLine(view);
    view = ended;
    out(lineEnd);
  };
  const say = (line: RunLine): void => {
    endLine();
    target.say(ownLine(line, target));
  };
  return {
    agentEvent(event, effectId) {
      if (!settings.streamAgentOutput) return;
      if (effectId !== turnId) {
        turnId = effectId;
        out(endAgentLine(view)[1]);
        view = startAgentView();
      }
      const [next, text] = showAgentEvent(view, event, target.viewStyle());
      view = next;
      out(text);
    },
    check(progress) {
      say(checkLine(progress, settings));
      if (progress.output !== undefined) redLines(progress.output, target.viewStyle()).forEach(say);
    },
    entry(entry, state) {
      const [next, lines] = entryLines(tally, entry, { state, settings, marks: target.viewStyle().marks });
      tally = next;
      lines.forEach(say);
    },
    endLine,
  };
}

/** Prints only how the run ended. */
export function createQuietSink(target: Pick<Console, "say" | "paint" | "stamp" | "width">): ConsoleSink {
  return {
    agentEvent: () => {},
    check: () => {},
    entry(entry) {
      if (entry.kind === "note") return;
      for (const effect of entry.effects) {
        if (effect.type !== "end-run") continue;
        const line = { text: outcomeSentence(effect.outcome), format: outcomeFormat(effect.outcome) };
        target.say(ownLine(line, target));
      }
    },
  };
}

/** How the output of a red check begins, below its line and no wider than the terminal. */
function redLines(output: string, style: ViewStyle): RunLine[] {
  const { width, marks } = style;
  return headLines(output, style).map(({ text }) => {
    const line = `  ${text}`;
    return { format: "dim", text: width === null ? line : cutToWidth(line, width, marks.ellipsis) };
  });
}

/** Ralph's own line. Words of the agent in it, such as a reason, stay on it and do nothing to the terminal. */
function ownLine(
  { text, format }: RunLine,
  { paint, stamp, width }: Pick<Console, "paint" | "stamp" | "width">,
): string {
  const begin = stamp();
  const room = width();
  const rows = wrapWords(cleanLine(text), room === null ? null : room - displayWidth(begin));
  return begin + rows.map((row) => paint(format, row)).join(`\n${" ".repeat(displayWidth(begin))}`);
}

/** The text with a stamp at the beginning of each of its lines. */
function stamped(text: string, stamp: string, isLineBegun: boolean): string {
  if (stamp === "") return text;
  return (isLineBegun ? "" : stamp) + text.replaceAll(/\n(?=[^])/g, `\n${stamp}`);
}
