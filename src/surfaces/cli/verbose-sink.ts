import type { Settings } from "../../core/settings/settings.ts";
import { formatDuration } from "../../core/settings/duration.ts";
import type { ConsoleSink } from "./console-sink.ts";

/** Says more on standard error, each line with the prefix `[ralph] ` (S1-66, S1-67). */
export function createVerboseSink(say: (text: string) => void): ConsoleSink {
  const tell = (text: string): void => say(`[ralph] ${text}`);
  return {
    agentEvent: () => {},
    check({ command, verdict }) {
      if (verdict === null) return tell(`Running guardrail: ${command}`);
      tell(`Guardrail exited with code ${verdict.exitCode} (${formatDuration(verdict.durationMs)})`);
    },
    entry(entry) {
      if (entry.kind === "note") return;
      const { observation } = entry;
      if (observation.type === "turn-started") tell(`Agent started as process ${observation.pid}`);
      if (observation.type === "turn-ended") {
        const { claims, exitCode, output } = observation.report;
        tell(
          `Agent exited with code ${exitCode ?? "none"}: ${output.lines} lines, ${output.unparsedLines} not understood`,
        );
        tell(`Completion check: ${JSON.stringify(claims)}`);
      }
      for (const effect of entry.effects) {
        if (effect.type === "begin-turn")
          tell(`Iteration ${effect.iteration}/${effect.iterationsMax ?? "unbounded"} starting`);
      }
    },
  };
}

/** Settings as they may be printed: values of keys that look like secrets are hidden. */
export function redacted(settings: Settings): unknown {
  return JSON.parse(
    JSON.stringify(settings, (key, value: unknown) => {
      if (/key|token|secret|password/i.test(key) && typeof value === "string") return "[redacted]";
      return typeof value === "string" ? value.replaceAll(secretShape, "[redacted]") : value;
    }),
  );
}

/** `--api-key=…`, `TOKEN=…` and the usual key prefixes inside a longer text. */
const secretShape = /(?<=(?:key|token|secret|password)[=: ])\S+|\b(?:sk|ghp|gho|xox[bp])-?[\w-]{12,}/gi;
