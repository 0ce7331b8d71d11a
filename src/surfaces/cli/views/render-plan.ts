import { formatDuration } from "../../../core/text/duration.ts";
import { isFinalTask } from "../../../core/settings/run/delivery-task.ts";
import type { FrozenRun } from "../../../core/settings/run/frozen-run.ts";
import { redacted, redactedText } from "../../../core/settings/redact.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanBlock, cleanLines } from "../../../core/text/clean-text.ts";
import { contractLines } from "../../../core/contract/contract-lines.ts";
import type { StartPlan } from "../../../app/prepare/plan-start.ts";
import type { RunPlan } from "../../../shell/drivers/plan-run.ts";
import { shellWords } from "../../../core/text/shell-words.ts";

/** `--dry-run` of a run, a task list or a supervised task: what would be sent, started, checked and delivered. */
export function renderPlan({ plan, frozen, uncontained }: StartPlan, isJson: boolean): string {
  return isJson ? jsonResult(asJson(plan, frozen, uncontained)) : asText(plan, frozen, uncontained);
}

function asJson(
  { prompt, argv, ...plan }: RunPlan,
  { projectDir, settings, policy }: FrozenRun,
  uncontained: string | null,
): object {
  const { guardrails, scm, budget, guardrailTimeout } = settings;
  const breaker = { failures: policy.failuresMax, noProgress: policy.unchangedMax };
  const limits = { iterations: policy.iterationsMax, ...plan.limits, guardrailMs: guardrailTimeout, breaker, budget };
  const shown = { argv: redacted(argv), guardrails: redacted(guardrails), delivery: redacted(scm) };
  const contract = { ...policy.contract, claimBy: policy.claimBy, gates: policy.gates };
  return { projectDir, prompt, ...plan, isContained: uncontained === null, limits, contract, ...shown };
}

function asText(
  { prompt, argv, promptVia, environment, limits }: RunPlan,
  { projectDir, settings, policy }: FrozenRun,
  uncontained: string | null,
): string {
  const { guardrails, scm } = settings;
  const list = (names: readonly string[]): string => (names.length === 0 ? "nothing" : names.join(", "));
  const checks = guardrails.map(({ command, failAction }) => `${redactedText(command)} (${failAction})`);
  const lines = [
    "Nothing is started and nothing is stored.",
    "",
    `Directory:    ${projectDir}`,
    `Command:      ${redactedText(shellWords(argv))}`,
    `Prompt:       by ${promptVia === "stdin" ? "standard input" : "its place in the command"}, ${prompt.length} characters, below`,
    `Environment:  set ${list(environment.set)}; removed ${list(environment.removed)}`,
    turnsLine(uncontained),
    ...(checks.length === 0 ? ["Guardrails:   none"] : checks.map((check) => `Guardrail:    ${check}`)),
    `Limits:       ${limitTexts(settings, policy, limits).join(", ")}`,
    ...(policy.claimBy === "tag" ? [`Completion:   a claim with the text ${settings.completionResponse}`] : []),
    ...contractLines(policy).map((line) => redactedText(line)),
    `Delivery:     ${scm === null ? "none" : deliveryText(scm)}`,
    "",
    "Prompt of iteration 1:",
  ];
  return `${cleanLines(lines)}${cleanBlock(prompt, "  ")}\n`;
}

function limitTexts(
  { budget, guardrailTimeout }: FrozenRun["settings"],
  policy: FrozenRun["policy"],
  { idleMs, wallMs }: RunPlan["limits"],
): string[] {
  const { iterationsMax: iterations, failuresMax, unchangedMax } = policy;
  const time = (what: string, ms: number | null): string[] => (ms === null ? [] : [`${what} ${formatDuration(ms)}`]);
  return [
    iterations === null ? "iterations unbounded" : `iterations ${iterations}`,
    ...time("silence of a turn", idleMs),
    ...time("a turn", wallMs),
    ...time("a guardrail", guardrailTimeout),
    ...budgetTexts({ budget }),
    ...(failuresMax === null ? [] : [`failed turns in a row ${failuresMax}`]),
    ...(unchangedMax === null ? [] : [`turns in a row without change ${unchangedMax}`]),
  ];
}

/** Where turns run, by the reason why no namespace holds them. */
export function turnsLine(uncontained: string | null): string {
  return `Turns:        ${uncontained === null ? "each in a PID namespace of its own" : `without a PID namespace: ${uncontained}`}`;
}

/** What bounds the run as a whole. */
export function budgetTexts({ budget }: Pick<FrozenRun["settings"], "budget">): string[] {
  return [
    ...(budget.time === null ? [] : [`the run ${formatDuration(budget.time)}`]),
    ...(budget.spend === null ? [] : [`$${budget.spend.toFixed(2)}`]),
    ...(budget.tokens === null ? [] : [`${budget.tokens} tokens`]),
  ];
}

function deliveryText({ command, tasks, stage }: NonNullable<FrozenRun["settings"]["scm"]>): string {
  const named = (task: string): string => (task === "commit" ? `commit (${stage} files)` : task);
  const each = tasks.filter((task) => !isFinalTask(task)).map(named);
  const last = tasks.filter(isFinalTask);
  return [
    ...(each.length === 0 ? [] : [`after green guardrails ${command} ${each.join(`, ${command} `)}`]),
    ...(last.length === 0 ? [] : [`after completion ${last.join(", ")}`]),
  ].join("; ");
}
