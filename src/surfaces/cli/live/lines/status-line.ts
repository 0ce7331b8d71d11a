import { formatCount } from "../../../../core/agents/format-spend.ts";
import { addSpend, type Spend, totalTokens } from "../../../../core/agents/spend.ts";
import type { RunState } from "../../../../core/run/state.ts";
import { activityOf } from "../../../../core/journal/activity.ts";
import { formatDuration } from "../../../../core/text/duration.ts";
import type { VerdictWord } from "../../../../core/verification/verdict-word.ts";
import { cleanLine } from "../../../../core/text/clean-text.ts";
import { cutToWidth, displayWidth } from "../../terminal/display-width.ts";
import type { Marks } from "../../terminal/marks.ts";

/** The facts of the status line. */
export type StatusFacts = {
  state: RunState;
  /** The time of the state. */
  at: number;
  /** Spend of the current turn as its stream reports it, ahead of the state; null between turns. */
  turnSpend: Spend | null;
  /** The running tool, or what else the agent does. */
  agentDoes: string | null;
  /** The running guardrail. */
  checking: string | null;
  lastCheck: { command: string; word: VerdictWord } | null;
};

/** The minimum width for the present activity; less important facts are dropped for it. */
const doingWidthMin = 24;
const commandWidthMax = 24;

/** One line that never wraps: iteration, time, tokens, cost, last check, what it is doing. */
export function statusText(facts: StatusFacts, now: number, { width, marks }: { width: number; marks: Marks }): string {
  const doing = doingText(facts, now);
  const [start, ...others] = factTexts(facts, now, marks);
  // On a narrow terminal tokens are dropped first, then the check, then the cost.
  const keeps = [others, without(others, "tokens"), without(others, "tokens", "check"), []];
  const lines = keeps.map((kept) => [start?.text ?? "", ...kept.map(({ text }) => text)].join(marks.separator));
  const needed = displayWidth(marks.separator) + Math.min(doingWidthMin, displayWidth(doing));
  const line = lines.find((each) => displayWidth(each) + needed <= width) ?? lines.at(-1) ?? "";
  return cutToWidth(`${line}${marks.separator}${doing}`, width, marks.ellipsis);
}

type Fact = { kind: "start" | "tokens" | "cost" | "check"; text: string };

function without(facts: readonly Fact[], ...kinds: Fact["kind"][]): Fact[] {
  return facts.filter(({ kind }) => !kinds.includes(kind));
}

function factTexts({ state, at, turnSpend, lastCheck }: StatusFacts, now: number, marks: Marks): Fact[] {
  // An iteration counts once its agent has started; people see it earlier.
  const iteration = state.pending?.type === "begin-turn" ? state.pending.iteration : state.iteration;
  const limit = state.policy.iterationsMax === null ? "" : `/${state.policy.iterationsMax}`;
  const elapsedMs = state.usedMs + (state.isHeld ? 0 : Math.max(0, now - at));
  const spend = addSpend(state.spend, turnSpend ?? state.liveSpend);
  const tokens = totalTokens(spend);
  return [
    { kind: "start", text: `Iteration ${iteration}${limit}${marks.separator}${wholeSeconds(elapsedMs)}` },
    ...(tokens === 0 ? [] : [{ kind: "tokens" as const, text: `${formatCount(tokens)} tokens` }]),
    ...(spend.usd === 0 ? [] : [{ kind: "cost" as const, text: costText(spend) }]),
    ...(lastCheck === null ? [] : [{ kind: "check" as const, text: checkText(lastCheck, marks) }]),
  ];
}

function costText({ usd, isPartial, isEstimated }: Spend): string {
  if (usd === null) return "cost unknown";
  return `${isPartial === true ? ">" : ""}$${usd.toFixed(2)}${isEstimated === true ? " est." : ""}`;
}

function checkText({ command, word }: NonNullable<StatusFacts["lastCheck"]>, marks: Marks): string {
  return `${cutToWidth(cleanLine(command), commandWidthMax, marks.ellipsis)} ${word}`;
}

function doingText({ state, agentDoes, checking }: StatusFacts, now: number): string {
  const { activity, waitingUntil } = activityOf(state);
  if (waitingUntil !== null) return `${activity} ${wholeSeconds(waitingUntil - now)}`;
  if (checking !== null && state.pending?.type === "run-gate") return `checking ${cleanLine(checking)}`;
  return activity === "agent at work" && agentDoes !== null ? agentDoes : activity;
}

/** Tenths would change the line ten times per second. */
function wholeSeconds(ms: number): string {
  return ms < 10_000 ? `${Math.max(0, Math.floor(ms / 1000))}s` : formatDuration(ms);
}
