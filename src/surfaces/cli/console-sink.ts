import { styleText } from "node:util";
import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { formatUsd } from "../../core/agents/format-spend.ts";
import { addSpend } from "../../core/agents/spend.ts";
import { isFailedTurn, type TurnReport } from "../../core/agents/turn-report.ts";
import type { Verdict } from "../../core/checks/verdict.ts";
import type { Effect } from "../../core/engine/effect.ts";
import type { Observation } from "../../core/engine/observation.ts";
import type { Outcome } from "../../core/engine/outcome.ts";
import type { RunState } from "../../core/engine/state.ts";
import { formatDuration } from "../../core/settings/duration.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Sink } from "../../shell/sinks/sink.ts";

/** Where lines go: the agent's view to standard output, ralph's own words to standard error. */
export type Console = {
  out: (text: string) => void;
  say: (text: string) => void;
  /** Colours only where a terminal shows them. */
  isColoured: boolean;
};

export type ConsoleSink = Sink & { check: (progress: { command: string; verdict: Verdict | null }) => void };

/** Shows a run to a person as it happens. */
export function createConsoleSink(target: Console, settings: Settings): ConsoleSink {
  const paint = (format: Parameters<typeof styleText>[0], text: string): string =>
    target.isColoured ? styleText(format, text, { validateStream: false }) : text;
  const view = createAgentView(target, paint);
  const say = (text: string): void => {
    view.endLine();
    target.say(text);
  };
  return {
    agentEvent: (event) => (settings.streamAgentOutput ? view.show(event) : undefined),
    check({ command, verdict }) {
      if (verdict === null) return say(paint("dim", `  guardrail: ${command}`));
      const time = formatDuration(verdict.durationMs);
      if (verdict.isPassed) return say(paint("green", `  guardrail passed (${time}): ${command}`));
      const action = settings.guardrails[verdict.index]?.failAction ?? "";
      const code = verdict.isTimedOut ? "timed out, exit code 124" : `exit code ${verdict.exitCode}`;
      say(paint("red", `  guardrail failed (${code}, ${time}), ${action}: ${command}`));
    },
    entry(entry, state) {
      if (entry.kind === "note") return say(paint("yellow", `  ${entry.text}`));
      const line = observationLine(entry.observation, state);
      if (line !== null) say(paint(line.format, line.text));
      for (const effect of entry.effects) {
        const order = effectLine(effect);
        if (order !== null) say(paint(order.format, order.text));
      }
    },
  };
}

type Line = { format: "bold" | "dim" | "red" | "green" | "yellow"; text: string };

function observationLine(observation: Observation, state: RunState): Line | null {
  switch (observation.type) {
    case "turn-ended":
      return {
        format: isFailedTurn(observation.report) ? "red" : "dim",
        text: `  ${turnLine(observation.report, state)}`,
      };
    case "checks-finished": {
      const claims = state.facts.report?.claims;
      const isClaim = claims?.isPromised === true || claims?.response != null;
      const failed = observation.verdicts.filter(({ isPassed }) => !isPassed);
      if (!isClaim || failed.length === 0) return null;
      return {
        format: "yellow",
        text: `  claim refused: ${failed.map(({ name }) => name).join(", ")} failed; the agent will be told why`,
      };
    }
    case "delivery-finished":
      if (observation.problem !== null) return { format: "red", text: `  delivery: ${observation.problem}` };
      return observation.commit === null
        ? null
        : { format: "dim", text: `  committed ${observation.commit.slice(0, 12)}` };
    case "asked":
      return { format: "yellow", text: `  asked to ${observation.request}` };
    case "run-started":
    case "run-resumed":
    case "turn-started":
    case "turn-progressed":
    case "tasks-repaired":
    case "timer-fired":
      return null;
  }
}

function turnLine(report: TurnReport, state: RunState): string {
  if (report.startError !== null) return `turn not started: ${report.startError.message}`;
  const how = turnEnd(report);
  const denied = report.tools.denied === 0 ? "" : `, ${report.tools.denied} tools denied`;
  const claim = report.claims.isPromised || report.claims.response !== null ? ", claims to be done" : "";
  return `turn ${how}${claim}${denied}; ${formatUsd(addSpend(state.spend, state.liveSpend))} so far`;
}

function turnEnd(report: TurnReport): string {
  if (report.isCut) return "cut off";
  if (report.failure !== null) return `failed: ${report.failure.message}`;
  if (report.timedOut !== null) return `ended by the ${report.timedOut} timeout`;
  if (!isFailedTurn(report)) return "ended";
  return report.signal === null ? `failed with exit code ${report.exitCode}` : `ended by ${report.signal}`;
}

function effectLine(effect: Effect): Line | null {
  switch (effect.type) {
    case "begin-turn":
      return {
        format: "bold",
        text: `Iteration ${effect.iteration}${effect.iterationsMax === null ? "" : `/${effect.iterationsMax}`}`,
      };
    case "set-timer":
      return { format: "yellow", text: `  waiting ${formatDuration(effect.durationMs)} (${effect.reason})` };
    case "end-run":
      return { format: outcomeFormat(effect.outcome), text: outcomeText(effect.outcome) };
    case "cut":
    case "run-checks":
    case "deliver":
    case "repair-tasks":
      return null;
  }
}

/** The one named outcome and its one sentence, the same everywhere. */
export function outcomeText({ name, reason }: Outcome): string {
  return `${name}: ${reason}`;
}

function outcomeFormat({ name }: Outcome): Line["format"] {
  if (name === "completed") return "green";
  return name === "waiting" || name === "interrupted" ? "yellow" : "red";
}

/** The agent's words and tools as plain lines. */
function createAgentView(target: Console, paint: (format: "dim" | "red", text: string) => string) {
  let isInLine = false;
  let messageId = "";
  const endLine = (): void => {
    if (isInLine) target.out("\n");
    isInLine = false;
  };
  const line = (text: string): void => {
    endLine();
    target.out(`${text}\n`);
  };
  const show = (event: AgentEvent): void => {
    if (event.type === "text" && !event.isSub) {
      if (event.messageId !== messageId) endLine();
      messageId = event.messageId;
      target.out(event.text);
      isInLine = !event.text.endsWith("\n");
    }
    if (event.type === "tool-started") line(paint("dim", `> ${event.name}(${event.summary})`));
    if (event.type === "tool-ended" && event.isError)
      line(paint("red", `! ${event.isDenied ? "denied" : "failed"}: ${event.output.split("\n")[0] ?? ""}`));
    if (event.type === "retry") line(paint("dim", `. retry ${event.attempt}: ${event.reason}`));
    if (event.type === "notice") line(paint("dim", `. ${event.text}`));
  };
  return { show, endLine };
}
