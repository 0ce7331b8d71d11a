import { workContractLines } from "../../../core/contract/contract-lines.ts";
import { redactedText } from "../../../core/settings/redact.ts";
import type { FrozenRun } from "../../../core/settings/run/frozen-run.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { tipGates } from "../../../core/work/verify-tip.ts";
import type { PlannedRole, WorkStartPlan } from "../../../app/prepare/plan-work.ts";
import { budgetTexts, turnsLine } from "./render-plan.ts";
import { verificationLines } from "./render-task.ts";

/** `ralph work --dry-run`: which tasks would go through which roles, how each is verified, and where. */
export function renderWorkPlan({ frozen, tasks, unsealed, uncontained }: WorkStartPlan, isJson: boolean): string {
  const { projectDir, settings, contract, work } = frozen;
  const { jobs = 1, rounds = 1, worktrees = null } = work ?? {};
  if (isJson)
    return jsonResult({
      projectDir,
      jobs,
      rounds,
      worktrees,
      limits: { budget: settings.budget },
      isSealed: unsealed === null,
      isContained: uncontained === null,
      contract,
      tasks,
    });
  const gates = tipGates(contract.gates);
  return cleanLines([
    "Nothing is started and nothing is stored.",
    "",
    `Directory:    ${projectDir}`,
    `Place:        ${placeText(work)}`,
    `Rounds:       ${rounds} at most for a task that a later role sends back`,
    `Limits:       ${budgetTexts(settings).join(", ") || "those of each role"}`,
    `Checks:       ${unsealed === null ? "sealed, those of every role's claims and of merged tips" : `not sealed, ${unsealed}`}`,
    turnsLine(uncontained),
    ...workContractLines(gates).map((line) => redactedText(line)),
    ...tasks.flatMap(({ id, title, roles }) => ["", `Task ${id}: ${title}`, ...roles.flatMap(roleLines)]),
  ]);
}

function placeText(work: FrozenRun["work"]): string {
  if (work === undefined || work.worktrees === null) return "one task after the other, in the project directory";
  const many = work.jobs === 1 ? "one task at a time" : `${work.jobs} tasks at once`;
  return `${many}, each in its own work tree, merged into ${work.worktrees.branch}`;
}

function roleLines({ role, agent, model, maxIterations, criterion }: PlannedRole): string[] {
  const who = `${agent ?? "no agent"}${model === null ? "" : `, model ${model}`}`;
  const limit =
    maxIterations === null ? "" : `, at most ${maxIterations} ${maxIterations === 1 ? "iteration" : "iterations"}`;
  return [
    `  ${role}: ${redactedText(who)}${limit}`,
    ...(criterion === null ? [] : verificationLines(criterion.verification, "    ")),
  ];
}
