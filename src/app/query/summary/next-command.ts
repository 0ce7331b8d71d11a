import { usedBudget } from "../../../core/policies/budget.ts";
import { isQuestion, isUnmovedClaim } from "../../../core/policies/gates.ts";
import { needsNewRun } from "../../../core/policies/fatal.ts";
import { isFailedTurn } from "../../../core/agents/turn-report.ts";
import type { Outcome } from "../../../core/run/outcome.ts";
import { closest } from "../../../core/text/closest.ts";
import { durationText } from "../../../core/text/duration.ts";
import { shellWords } from "../../../core/text/shell-words.ts";
import type { RoleEnd } from "../../../core/work/next-step.ts";
import { openWorkState } from "../../../core/work/open-work-state.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { allAgents } from "../../../shell/wire-agents.ts";
import { howToResume, moreIterations, withAnswer } from "../../functions/own-functions.ts";
import { newRunWords } from "./new-run-words.ts";
import { startAgain } from "./start-words.ts";

/** What a person can do next with a run: a few words, and the one command to type. */
export type NextCommand = { words: string; command: string };

/** The command that continues a run, or follows it while it is driven; null: nothing is left to do. */
export function nextCommand(run: RunRecord, isDriven: boolean): NextCommand | null {
  const { id, kind, outcome, state } = run;
  if (kind === "session") return null;
  if (outcome !== null) return afterEnd(run, outcome);
  if (!isDriven || (state.isHeld && state.isPauseAsked)) return resumed(run);
  return { words: "Follow it with", command: `ralph logs -f ${id}` };
}

/** The words and the command on one line, as every ending prints them. */
export function nextLine({ words, command }: NextCommand): string {
  return `${words}: ${command}`;
}

function afterEnd(run: RunRecord, { name }: Outcome): NextCommand | null {
  switch (name) {
    case "completed":
      return null;
    case "cancelled":
      return { words: "Start a new run with", command: shellWords(startAgain(run.frozen)) };
    case "exhausted":
      return afterLastIteration(run);
    case "waiting":
      return afterQuestion(run);
    case "stopped":
      return afterStop(run);
    case "failed":
      return afterFailure(run);
    case "interrupted":
      return resumed(run);
  }
}

/** More iterations help only when the last one did not fail: flags and model are frozen with a run. */
function afterLastIteration(run: RunRecord): NextCommand {
  if (isUnmovedClaim(run.state)) return withOtherTerms(run);
  const words = newRunWords(run);
  if (words !== null) return { words: "Start a new run that may use its tools with", command: shellWords(words) };
  const { report } = run.state.facts;
  const isFailed = report !== null && isFailedTurn(report);
  const more = isFailed ? "Repair the cause, then give it more iterations with" : "Give it more iterations with";
  return { words: more, command: howToResume(run, moreIterations) };
}

/** Prompt and settings are frozen with a run: an agent that sees nothing to do would claim the same again. */
function withOtherTerms({ frozen }: RunRecord): NextCommand {
  const words = "Ask for something to change, or set completion.requireProgress to false, then start a new run with";
  return { words, command: shellWords(startAgain(frozen)) };
}

/** The agent is frozen with a run, so one that does not exist needs a new run. A known one may only have to be installed: null. */
function withOtherAgent({ frozen, state }: RunRecord): NextCommand | null {
  const { agent } = frozen.settings;
  const names = allAgents([]).known.flatMap(({ commands }) => commands);
  const isMissing = state.facts.report?.startError?.kind === "not-found";
  if (!isMissing || agent.command === null || names.includes(agent.command)) return null;
  const meant = closest(agent.command, names);
  const again = startAgain({
    ...frozen,
    settings: { ...frozen.settings, agent: { ...agent, command: meant ?? "AGENT" } },
  });
  const words = meant === null ? "Start a new run with another agent" : `Did you mean ${meant}? Start a new run with`;
  return { words, command: shellWords(again) };
}

function resumed(run: RunRecord): NextCommand {
  return { words: "Resume with", command: howToResume(run) };
}

/** Only a question needs an answer: a gate that could not be asked, a held review and a wait file need a resume. */
function afterQuestion(run: RunRecord): NextCommand {
  if (run.frozen.work !== undefined && !hasOneQuestion(run))
    return { words: "See what each task waits for with", command: `ralph show ${run.id}` };
  if (!asksPerson(run)) return { words: "When that is settled, resume with", command: howToResume(run) };
  return { words: "Answer with", command: howToResume(run, withAnswer) };
}

/** Whether the outcome is a question, or a block, that an answer of a person ends. */
export function asksPerson(run: RunRecord): boolean {
  if (run.frozen.work !== undefined) return waitingReasons(run).some(isQuestion);
  const { isHeld, pending, facts } = run.state;
  const claims = facts.report?.claims;
  return !(isHeld && pending?.type === "run-gate") && (claims?.question ?? claims?.blocked ?? null) !== null;
}

/** Whether an answer to a work run can mean one role only. */
function hasOneQuestion(run: RunRecord): boolean {
  return waitingReasons(run).length === 1;
}

/** Why each role of a work run waits that waits. */
function waitingReasons({ state }: RunRecord): string[] {
  return roleEnds({ state }).flatMap(({ outcome, rejected }) =>
    outcome.name === "waiting" && rejected === null ? [outcome.reason] : [],
  );
}

/** How the role runs of a work run ended, those that have. */
function roleEnds({ state }: Pick<RunRecord, "state">): RoleEnd[] {
  const opened = openWorkState(state);
  return "problem" in opened ? [] : Object.values(opened.state.work.roles).flatMap(({ end }) => end ?? []);
}

/** A used budget is raised to twice its limit; what another breaker stopped needs a look first. */
function afterStop(run: RunRecord): NextCommand {
  const budget = usedBudget(run.state);
  const words = budget === null ? newRunWords(run) : null;
  if (words !== null) return { words: "Start a new run that may use its tools with", command: shellWords(words) };
  const corrected = budget === null ? withOtherAgent(run) : null;
  if (corrected !== null) return corrected;
  if (budget === null && isUnmovedClaim(run.state)) return withOtherTerms(run);
  if (budget === null) return { words: "Repair the cause, then resume with", command: howToResume(run) };
  const twice = 2 * Math.max(budget.limit, budget.used);
  const more = {
    money: { flag: `--max-cost ${cents(twice)}`, option: `maxCost: ${cents(twice)}` },
    tokens: { flag: `--max-tokens ${twice}`, option: `maxTokens: ${twice}` },
    time: { flag: `--max-time ${durationText(wholeSeconds(twice))}`, option: `maxTimeMs: ${wholeSeconds(twice)}` },
  };
  return { words: "Raise the budget with", command: howToResume(run, more[budget.of]) };
}

function cents(usd: number): string {
  return usd.toFixed(2).replace(/\.00$/, "");
}

function wholeSeconds(ms: number): number {
  return Math.ceil(ms / 1000) * 1000;
}

/** Flags and model are frozen with a run: a resume would fail in the same way. */
function afterFailure(run: RunRecord): NextCommand {
  const words = newRunWords(run);
  if (words !== null) return { words: "Start a new run with", command: shellWords(words) };
  const corrected = withOtherAgent(run);
  if (corrected !== null) return corrected;
  const { frozen, state } = run;
  const isModelWrong = state.facts.report?.failure?.kind === "model";
  const isNewNeeded = needsNewRun(state) || roleEnds(run).some((end) => end.needsNewRun === true);
  const agent = { ...frozen.settings.agent, ...(isModelWrong ? { model: null } : {}) };
  const again = startAgain({ ...frozen, settings: { ...frozen.settings, agent } });
  return isNewNeeded
    ? { words: "Change the settings, then start a new run with", command: shellWords(again) }
    : { words: "Repair the cause, then resume with", command: howToResume(run) };
}
