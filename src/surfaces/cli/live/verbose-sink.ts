import { formatDuration } from "../../../core/text/duration.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import type { ConsoleSink } from "./console-sink.ts";

/** Enough to recognise a prompt; all of it is in `.ralph/prompt_001.txt` and the like. */
const promptCharsMax = 200;

/** Prints more on standard error, each line with the prefix `[ralph] ` (S1-66, S1-67). */
export function createVerboseSink(say: (text: string) => void): ConsoleSink {
  const tell = (text: string): void => say(cleanLine(`[ralph] ${text}`));
  let turnStartedAt: number | null = null;
  return {
    agentEvent: () => {},
    prompt: (text) => tell(`Prompt: ${promptHead(text)}`),
    check({ gate, verdict }) {
      const word = gate.tells === "output" ? "guardrail" : "criterion";
      if (verdict === null) return tell(`Running ${word}: ${gate.name}`);
      tell(
        `${word.charAt(0).toUpperCase()}${word.slice(1)} exited with code ${verdict.exitCode} (${formatDuration(verdict.durationMs)})`,
      );
    },
    entry(entry) {
      if (entry.kind === "note") return;
      const { observation } = entry;
      if (observation.type === "turn-started") {
        turnStartedAt = observation.at;
        tell(`Agent started as process ${observation.pid}`);
      }
      if (observation.type === "turn-ended") {
        const { claims, exitCode, output } = observation.report;
        const time = formatDuration(Math.max(0, observation.at - (turnStartedAt ?? observation.at)));
        const lines = `${output.lines} lines, ${output.unparsedLines} not understood`;
        tell(`Agent exited with code ${exitCode ?? "none"} (${time}): ${lines}`);
        tell(`Completion check: ${JSON.stringify(claims)}`);
      }
      for (const effect of entry.effects) {
        if (effect.type === "begin-turn")
          tell(`Iteration ${effect.iteration}/${effect.iterationsMax ?? "unbounded"} starting`);
      }
    },
  };
}

/** Whole characters, of which one may be two units long. */
function promptHead(text: string): string {
  return Array.from(text.slice(0, promptCharsMax * 2))
    .slice(0, promptCharsMax)
    .join("");
}
