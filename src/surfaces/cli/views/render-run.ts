import { hash as digestOf } from "node:crypto";
import { formatUsd } from "../../../core/agents/format-spend.ts";
import { factLines, nextLines, promptLines, traceLines, waitLines } from "./run-fact-lines.ts";
import { describeTurnEnd, errorLines, type TurnReport } from "../../../core/agents/turn-report.ts";
import type { StageVerdict, Verdict } from "../../../core/verification/verdict.ts";
import { reproduceCommand } from "../../../core/verification/sealed/step-titles.ts";
import { sealedWords } from "../../../core/verification/sealed/sealed-words.ts";
import { byClaimAlone, proofWords, verdictWord } from "../../../core/verification/verdict-word.ts";
import { isClaimed } from "../../../core/claims/judge-claim.ts";
import type { Policy } from "../../../core/run/policy.ts";
import type { RunState } from "../../../core/run/state.ts";
import { contractLines } from "../../../core/contract/contract-lines.ts";
import type { IterationView } from "../../../core/journal/run-view.ts";
import { baselineLabel } from "../../../core/policies/baseline.ts";
import { unmovedClaimWords } from "../../../core/policies/gates.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { isOver, summarySentence } from "../../../app/query/summary/run-summary.ts";
import { evidenceOf, type WholeRun } from "../../../app/query/whole-run.ts";

/** Lines of output shown as evidence of a red check. */
const evidenceLinesMax = 12;

/** A run for people: outcome and facts first, then each iteration with its evidence, and what to type next. */
export function renderRun(whole: WholeRun, now: number): string {
  const iterations = whole.view.iterations.map(createIterationText(whole));
  return [renderHead(whole, now), ...iterations, renderTail(whole)].join("");
}

/** What stands before the iterations of a run. */
export function renderHead(whole: WholeRun, now: number): string {
  const { run, summary, view, traces } = whole;
  const doing = isOver(summary) ? summarySentence(summary) : summary.activity;
  return cleanLines([
    `Run ${run.id} in ${run.directory}`,
    ...roleLines(run),
    `  ${doing}`,
    ...waitLines(summary, now),
    ...promptLines(run),
    ...factLines(whole, now),
    ...(traces === undefined ? [] : traceLines(traces)),
    ...(run.state.deliveryProblem === null ? [] : [`  delivery: ${run.state.deliveryProblem}`]),
    ...contractLines(run.state.policy).map((line) => `  ${line}`),
    ...contractLine(run.state.policy.contract),
    ...view.notes.map((note) => `  note: ${note.text}`),
    ...baselineLines(run.state.baseline),
  ]);
}

/** What stands after the iterations of a run. */
export function renderTail({ summary }: Pick<WholeRun, "summary">): string {
  return cleanLines(nextLines(summary));
}

/** Gives the text of one iteration after another, in their order: what an earlier one showed is not shown again. */
export function createIterationText({
  run,
  folder,
}: Pick<WholeRun, "run" | "folder">): (each: IterationView) => string {
  const seen: SeenEvidence = new Map();
  return (iteration) => cleanLines(iterationLines(iteration, run, { folder, seen }));
}

/** A host that checks by itself names no contract. */
function contractLine({ hash, revision }: RunRecord["state"]["policy"]["contract"]): string[] {
  return hash === "" ? [] : [`  contract ${hash.slice(0, 12)}, revision ${revision}`];
}

function roleLines({ frozen: { task, criterion }, parentId }: RunRecord): string[] {
  if (task === undefined || criterion === undefined) return [];
  return [
    `  ${criterion.role} of task ${task.id}, round ${task.round}${parentId === null ? "" : `, in work ${parentId}`}`,
  ];
}

/** The results of the checks before the first turn. */
function baselineLines(baseline: RunState["baseline"]): string[] {
  if (baseline === null || baseline.length === 0) return [];
  const found = baseline.map(({ name, isPassed }) => `${isPassed ? "green" : "red"}: ${name}`);
  return [`  before the first turn: ${found.join(", ")}`];
}

/** Where the output of a failed turn or a red check was shown: in which iteration. By the hash of the output, which may be long. */
type SeenEvidence = Map<string, number>;

function iterationLines(
  iteration: IterationView,
  { id, state: { policy, baseline }, frozen }: RunRecord,
  { folder, seen }: { folder: string; seen: SeenEvidence },
): string[] {
  const { report, delivery } = iteration;
  const { scm } = frozen.settings;
  const time = iteration.endedAt === null ? "" : ` (${formatDuration(iteration.endedAt - iteration.startedAt)})`;
  return [
    "",
    `Iteration ${iteration.number}${assignmentText(iteration.assignment)}${time}`,
    ...(iteration.feedback.length === 0 ? [] : [`  told: ${iteration.feedback.map(toldWord).join(", ")}`]),
    `  turn: ${report === null ? "at work or lost" : turnText(report, policy)}`,
    ...(report === null ? [] : outputLines(errorLines(report).join("\n"), iteration.number, seen)),
    ...[...iteration.guardrails, ...iteration.criteria].flatMap((verdict) => [
      ...verdictLines(verdict, baseline, folder),
      ...refusalLines(verdict, id),
      ...(verdict.isPassed ? [] : outputLines(verdictOutput(verdict), iteration.number, seen)),
    ]),
    ...iteration.violations.map((sentence) => `  task list: ${sentence}`),
    ...deliveryLines(delivery, scm !== null),
  ];
}

/** Why a sealed verification refused the claim, and how a person sees it again once the run is over. */
function refusalLines(verdict: Verdict, runId: string): string[] {
  const command = reproduceCommand(verdict, runId);
  return command === null ? [] : [`    ${verdict.reason}`, `    see it again with: ${command}`];
}

/** A run without delivery only looks whether what it leaves is what was verified. */
function deliveryLines(delivery: IterationView["delivery"], isConfigured: boolean): string[] {
  const found = delivery?.problem ?? delivery?.commit ?? null;
  if (found !== null) return [`  delivery: ${found}`];
  return delivery !== null && isConfigured ? ["  delivery: nothing to commit"] : [];
}

function toldWord({ kind }: IterationView["feedback"][number]): string {
  if (kind === "output") return "a failed guardrail";
  if (kind === "unchanged") return `claim refused: ${unmovedClaimWords}`;
  return kind === "reason" ? "a criterion that is not met" : kind;
}

function assignmentText(assignment: IterationView["assignment"]): string {
  return assignment === null ? "" : `: ${assignment.role} ${assignment.taskId}`;
}

function turnText(report: TurnReport, policy: Policy): string {
  const { tools, claims } = report;
  const facts = [
    describeTurnEnd(report),
    `${counted(tools.calls, "tool")}, ${counted(tools.errors, "error")}${tools.denied > 0 ? `, ${tools.denied} denied` : ""}`,
    formatUsd(report.spend),
    ...(isClaimed(claims, policy) ? ["claimed to be done"] : []),
    ...(claims.wrongPromise === null ? [] : [`wrong promise '${claims.wrongPromise}'`]),
    ...(claims.blocked === null ? [] : [`blocked: ${claims.blocked}`]),
    ...(claims.question === null ? [] : [`asks: ${claims.question}`]),
    ...(policy.canReject && claims.rejected !== null ? [`sends it back: ${claims.rejected}`] : []),
  ];
  return facts.join(", ");
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function verdictLines(verdict: Verdict, baseline: RunState["baseline"], folder: string): string[] {
  const label = verdict.isPassed ? null : baselineLabel(baseline, verdict.name);
  const colour = `${verdictWord(verdict)}${label === null ? "" : ` (${label})`}`;
  const head = `  ${colour}: ${verdict.name} (${howLong(verdict)})`;
  const stages = (verdict.stages ?? []).map((stage) => stageLine(stage, folder));
  const found = verdict.method === undefined ? [] : [`    ${verdict.reason}`, ...stages];
  const path = evidenceOf(verdict, folder);
  const log = path === null ? [] : [`    log: ${path}`];
  return [head, ...found, ...log];
}

function verdictOutput({ output: { text = "" } }: Verdict & { output: { text?: string } }): string {
  return text;
}

/** Equal output of agents and checks is shown once: the iteration that shows it is named. */
function outputLines(text: string, iteration: number, seen: SeenEvidence): string[] {
  if (text === "") return [];
  const name = digestOf("sha256", text);
  const before = seen.get(name);
  if (before !== undefined)
    return [`    | the same output as ${before === iteration ? "above" : `in iteration ${before}`}`];
  seen.set(name, iteration);
  const output = text.split("\n");
  return [
    ...output.slice(0, evidenceLinesMax).map((line) => `    | ${line}`),
    ...(output.length > evidenceLinesMax ? [`    | … ${output.length - evidenceLinesMax} more lines in the log`] : []),
  ];
}

function howLong(verdict: Verdict | StageVerdict): string {
  const { method, exitCode, durationMs, isCached, isFallback } = verdict;
  const facts = [
    ...(method === undefined ? [] : [method]),
    ...(method === undefined || method === "external" || method === "custom" ? [`exit code ${exitCode}`] : []),
    isCached === true ? "shared: the command ran on this tree in this iteration" : formatDuration(durationMs),
    ...sealedWords(verdict),
    ...(isFallback === true ? ["the judge gave no answer, the claim alone decided"] : []),
    ...(isFallback !== true && proofWords(verdict) === byClaimAlone ? [byClaimAlone] : []),
  ];
  return facts.join(", ");
}

function stageLine(stage: StageVerdict, folder: string): string {
  const word = verdictWord(stage);
  const need = stage.isRequired ? "" : " (not required)";
  const path = evidenceOf(stage, folder);
  const log = path === null ? "" : `; log: ${path}`;
  return `    ${word}: ${stage.name}${need} (${howLong(stage)}): ${stage.reason}${log}`;
}
