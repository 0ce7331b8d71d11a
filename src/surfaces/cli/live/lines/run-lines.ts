import { formatUsd } from "../../../../core/agents/format-spend.ts";
import { addSpend } from "../../../../core/agents/spend.ts";
import { describeTurnEnd, errorLines, isFailedTurn, type TurnReport } from "../../../../core/agents/turn-report.ts";
import type { Verdict } from "../../../../core/verification/verdict.ts";
import { sealedWords } from "../../../../core/verification/sealed/sealed-words.ts";
import { stepWords } from "../../../../core/verification/sealed/step-progress.ts";
import { byClaimAlone, redStagesText, verdictWord } from "../../../../core/verification/verdict-word.ts";
import type { CheckProgress } from "../../../../core/contract/check-progress.ts";
import { isClaimed } from "../../../../core/claims/judge-claim.ts";
import type { Effect } from "../../../../core/run/effect.ts";
import type { Observation, Request } from "../../../../core/run/observation.ts";
import { type Outcome, outcomeSentence } from "../../../../core/run/outcome.ts";
import { isUnmovedClaim, unmovedClaimWords } from "../../../../core/policies/gates.ts";
import type { RunState } from "../../../../core/run/state.ts";
import type { JournalNews } from "../../../../core/journal/journal-entry.ts";
import type { Feedback } from "../../../../core/run/feedback.ts";
import { formatDuration } from "../../../../core/text/duration.ts";
import type { Settings } from "../../../../core/settings/settings.ts";
import type { Marks } from "../../terminal/marks.ts";
import type { Format } from "../../terminal/paint.ts";
import { figuresText } from "./run-figures.ts";
import { isFatal, superviseLines } from "./supervise-lines.ts";

/** One line of ralph's own. */
export type RunLine = { text: string; format: Format };

/** What the lines of a run remember: its tools, and when the current turn began. */
export type RunTally = { tools: number; errors: number; turnStartedAt: number | null };

/** Nothing happened yet. */
export const emptyTally: RunTally = { tools: 0, errors: 0, turnStartedAt: null };

/** The run after a step, and how it is shown. */
type ShownState = { state: RunState; settings: Settings; marks: Marks };

/** A step or a note as lines, and what to remember. */
export function entryLines(tally: RunTally, entry: JournalNews, run: ShownState): [RunTally, RunLine[]] {
  if (entry.kind === "note") return [tally, [{ format: "yellow", text: `  ${entry.text}` }]];
  const next = tallied(tally, entry.observation);
  const isSupervised = run.state.policy.kind === "supervise";
  if (isSupervised && isFatal(entry.effects)) return [next, superviseLines(entry, run.state)];
  const seen = [observationLine(entry.observation, run.state, tally), ...errorLinesOf(entry.observation)];
  const ordered = entry.effects.flatMap((effect) => effectLines(effect, run, next));
  const supervised = isSupervised ? superviseLines(entry, run.state) : [];
  return [next, [...seen.filter((line) => line !== null), ...supervised, ...recheckLines(entry), ...ordered]];
}

/** The same checks appear twice in an iteration: whoever watches is told why. */
function recheckLines({ observation, effects }: Extract<JournalNews, { kind: "step" }>): RunLine[] {
  const isAgain = observation.type === "delivery-finished" && effects.some(({ type }) => type === "run-gate");
  const [path, ...others] = isAgain ? (observation.differing ?? []) : [];
  if (path === undefined) return [];
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return [{ format: "dim", text: `  changed since the turn: ${path}${more}; the checks run once more` }];
}

/** A check starts (no verdict yet) or has ended, a guardrail with exit status and fail action (S1-59). */
export function checkLine({ gate, verdict, step }: CheckProgress, settings: Settings): RunLine {
  const command = gate.name;
  if (step !== undefined) return { format: "dim", text: `  ${stepWords(step)}` };
  if (gate.tells === "reason") return criterionLine(command, verdict);
  if (verdict === null) return { format: "dim", text: `  guardrail: ${command}` };
  const time = formatDuration(verdict.durationMs);
  const how = [...sealedWords(verdict), time].join(", ");
  if (verdict.isPassed) return { format: "green", text: `  guardrail passed (${how}): ${command}` };
  const action = settings.guardrails[verdict.index]?.failAction ?? "";
  const code = verdict.isTimedOut ? "timed out, exit code 124" : `exit code ${verdict.exitCode}`;
  return { format: "red", text: `  guardrail failed (${code}, ${how}), ${action}: ${command}` };
}

function criterionLine(gateName: string, verdict: Verdict | null): RunLine {
  if (verdict === null) return { format: "dim", text: `  verifying: ${gateName}` };
  const duration = formatDuration(verdict.durationMs);
  // A gate that is no criterion names each of its verdicts itself.
  const [time, name] =
    verdict.method === undefined ? [duration, verdict.name] : [`${verdict.method}, ${duration}`, gateName];
  const fallback = verdict.isFallback === true ? ", the judge gave no answer and the claim alone decided" : "";
  const stages = redStagesText(verdict);
  const how = `(${time}${fallback}${stages === "" ? "" : `; ${stages}`}): ${name}`;
  switch (verdictWord(verdict)) {
    case "green":
      return { format: stages === "" ? "green" : "yellow", text: `  verified ${how}` };
    case "unverified":
      return { format: "yellow", text: `  ${byClaimAlone}, not verified ${how}` };
    case "red":
  }
  return { format: "red", text: `  not verified (${time}): ${verdict.reason}` };
}

function tallied(tally: RunTally, observation: Observation): RunTally {
  if (observation.type === "turn-started") return { ...tally, turnStartedAt: observation.at };
  if (observation.type !== "turn-ended") return tally;
  const { calls, errors } = observation.report.tools;
  return { tools: tally.tools + calls, errors: tally.errors + errors, turnStartedAt: null };
}

function observationLine(observation: Observation, state: RunState, tally: RunTally): RunLine | null {
  switch (observation.type) {
    case "turn-ended": {
      const { report, at } = observation;
      if (report.isSkipped) return null;
      const timeMs = Math.max(0, at - (tally.turnStartedAt ?? at));
      return { format: isFailedTurn(report) ? "red" : "dim", text: `  ${turnText(report, state, timeMs)}` };
    }
    case "gate-finished": {
      if (state.outcome !== null && observation.word !== null) return repairedLine(observation.word.notes);
      const claims = state.facts.report?.claims;
      const isClaim = claims !== undefined && isClaimed(claims, state.policy);
      const failed = observation.verdicts.filter(({ isPassed }) => !isPassed);
      if (!isClaim || failed.length === 0) return null;
      return {
        format: "yellow",
        text: `  claim refused: ${failed.map(({ name }) => name).join(", ")} failed${toldText(state)}`,
      };
    }
    case "delivery-finished":
      if (observation.problem !== null) return { format: "red", text: `  delivery: ${observation.problem}` };
      return observation.commit === null
        ? null
        : { format: "dim", text: `  committed ${observation.commit.slice(0, 12)}` };
    case "asked":
      return requestLine(observation.request);
    case "run-started":
    case "run-resumed":
    case "turn-started":
    case "turn-progressed":
    case "timer-fired":
    case "turn-unsettled":
    case "turn-reopened":
      return null;
  }
}

/** After the last iteration there is no agent to tell. */
function toldText({ iteration, policy: { iterationsMax } }: RunState): string {
  return iterationsMax !== null && iteration >= iterationsMax ? "" : "; the agent will be told why";
}

/** Says what somebody asked for in another terminal. Who sends a signal is told where the run is shown. */
function requestLine(request: Request): RunLine | null {
  if (request === "interrupt" || request === "interrupt-now") return null;
  return { format: "yellow", text: `  asked to ${request === "go-on" ? "continue" : request}` };
}

/** The first lines of what a failed program wrote on standard error. */
function errorLinesOf(observation: Observation): RunLine[] {
  if (observation.type !== "turn-ended") return [];
  return errorLines(observation.report).map((line) => ({ format: "dim", text: `    | ${line}` }));
}

/** Shows what was undone in the task list when no next turn will be told. */
function repairedLine(notes: readonly string[]): RunLine | null {
  return notes.length === 0 ? null : { format: "yellow", text: `  task list: ${notes.join(" ")}` };
}

function turnText(report: TurnReport, state: RunState, timeMs: number): string {
  if (report.startError !== null) return `turn ${describeTurnEnd(report)}`;
  const { denied: deniedCount } = report.tools;
  const denied = deniedCount === 0 ? "" : `, ${deniedCount} ${deniedCount === 1 ? "tool" : "tools"} denied`;
  const claim = isClaimed(report.claims, state.policy) ? ", claims to be done" : "";
  const { calls: tools, errors } = report.tools;
  const figures = figuresText({ spend: report.spend, tools, errors, timeMs });
  const sum = state.iteration > 1 ? `; ${formatUsd(addSpend(state.spend, state.liveSpend))} so far` : "";
  return `turn ${describeTurnEnd(report)}${claim}${denied} (${figures})${sum}`;
}

function effectLines(effect: Effect, run: ShownState, tally: RunTally): RunLine[] {
  switch (effect.type) {
    case "begin-turn": {
      if (run.state.policy.kind === "supervise") return [];
      const limit = effect.iterationsMax === null ? "" : `/${effect.iterationsMax}`;
      // A look starts no agent: nobody is told anything.
      const whom = effect.isRecheck ? "still open" : "the agent is told";
      const told = effect.feedback.map((item) => `  ${whom}: ${feedbackText(item, run.settings)}`);
      const look = effect.isRecheck ? ": looks once more, without a turn" : assignmentText(effect);
      return [
        ...unmovedLines(run.state),
        ...unchangedLines(run.state),
        { format: "bold", text: `Iteration ${effect.iteration}${limit}${look}` },
        ...told.map((text): RunLine => ({ format: "dim", text })),
      ];
    }
    case "set-timer":
      return [{ format: "yellow", text: `  waiting ${formatDuration(effect.durationMs)} (${effect.reason})` }];
    case "end-run":
      return [
        ...unmovedLines(run.state),
        { format: "bold", text: "" },
        {
          format: "bold",
          text: `${outcomeMark(effect.outcome, run.marks)} ${closingText(effect.outcome, run.state, tally)}`,
        },
        { format: outcomeFormat(effect.outcome), text: outcomeSentence(effect.outcome) },
      ];
    case "cut":
    case "run-gate":
    case "deliver":
      return [];
  }
}

function assignmentText({ assignment }: Extract<Effect, { type: "begin-turn" }>): string {
  return assignment === null ? "" : `: ${assignment.role} ${assignment.taskId}`;
}

/** No check speaks for such a refusal: whoever watches learns it, and the setting behind it, here. */
function unmovedLines(state: RunState): RunLine[] {
  return isUnmovedClaim(state) ? [{ format: "yellow", text: `  claim refused: ${unmovedClaimWords}` }] : [];
}

/** Equal iterations look alike: somebody who watches is told that they are. */
function unchangedLines({ unchangedInRow: turns }: RunState): RunLine[] {
  if (turns === 0) return [];
  const text = turns === 1 ? "this turn changed nothing" : `${turns} turns in a row changed nothing`;
  return [{ format: "yellow", text: `  ${text}: neither files, commits nor check results` }];
}

/** The totals of the whole run (S1-76); the first word says whether it is complete. */
function closingText({ name }: Outcome, { spend, liveSpend, usedMs }: RunState, { tools, errors }: RunTally): string {
  const word = name === "completed" ? "Complete" : name.charAt(0).toUpperCase() + name.slice(1);
  return `${word} (${figuresText({ spend: addSpend(spend, liveSpend), tools, errors, timeMs: usedMs })})`;
}

function outcomeMark({ name }: Outcome, marks: Marks): string {
  if (name === "completed") return marks.ok;
  return name === "waiting" || name === "interrupted" ? marks.waiting : marks.error;
}

/** The colour of an outcome. */
export function outcomeFormat({ name }: Outcome): Format {
  if (name === "completed") return "green";
  return name === "waiting" || name === "interrupted" ? "yellow" : "red";
}

/** What the prompt tells the agent about the iteration before, in a few words. */
function feedbackText(item: Feedback, settings: Settings): string {
  switch (item.kind) {
    case "output": {
      const { hint } = settings.guardrails.find(({ command }) => command === item.name) ?? {};
      const more = hint === undefined || hint === "" ? "its output" : "its hint and its output";
      return `guardrail "${item.name}" failed with exit code ${item.exitCode}, ${more}`;
    }
    case "reason":
      return `criterion "${item.name}" is not met`;
    case "note":
      return item.text;
    case "unchanged":
      return "a claim without any change is refused";
    case "mentioned":
      return "the tag was mentioned, not claimed";
    case "wrong-promise":
      return `wrong promise '${item.found}', expected '${item.expected}'`;
    case "answer":
      return "your answer";
  }
}
