import type { Attempt } from "../run/attempt.ts";
import type { RoleCriterion } from "../tasks/criteria/role-criterion.ts";
import type { RoleTask } from "../tasks/role-task.ts";
import type { Role } from "../tasks/criteria/role.ts";

/** The parts of a role's prompt. */
export type RolePromptParts = {
  task: Pick<RoleTask, "id" | "title" | "description" | "reasons">;
  criterion: RoleCriterion;
  iteration: number;
  iterationsMax: number;
  /** The results of this run's latest claims. */
  attempts: readonly Attempt[];
};

/** Used for a task without an outcome (S2-47). */
export const outcomeDefault = "Complete the assigned task.";

/** The task, the role, earlier results, and last the fixed completion section (S2-47, S2-48). */
export function rolePrompt(parts: RolePromptParts): string {
  const { task, criterion } = parts;
  const { role } = criterion;
  return [
    `# Task ${task.id}: ${task.title}`,
    ...(task.description.trim() === "" ? [] : [task.description.trim()]),
    duties[role],
    blockedNote,
    ...(role === "coder" ? [] : [rejectNote]),
    ...reasonSection(task.reasons),
    ...attemptSection(parts.attempts),
    statusSection(parts),
  ].join("\n\n");
}

const duties: Record<Role, string> = {
  coder: "You are the coder: change the code in this directory until the outcome below holds.",
  reviewer:
    "You are the reviewer: read what was changed for this task with fresh eyes, and judge it by the criteria below. Leave the changes themselves to the coder.",
  tester: "You are the tester: write the tests that are missing for this task and run them.",
  qa: "You are the last to look: use what was built as its users will, and judge the whole by the criteria below. Leave changes to the coder.",
};

const blockedNote =
  "If nobody but a person can help, output the line <promise>BLOCKED: what you need</promise> on its own.";

const rejectNote =
  "If the work must go back to the coder, output the line <promise>REJECT: what is wrong and where</promise> on its own. The coder reads your reason and nothing else, so make it complete.";

/** A coder who gets the task back reads the reasons; later roles check whether they were addressed. */
function reasonSection(reasons: RoleTask["reasons"]): string[] {
  if (reasons.length === 0) return [];
  const items = reasons.map(({ role, round, text }) => `- Round ${round}, ${role}: ${text}`);
  return [["## Why It Was Sent Back", ...items].join("\n")];
}

/** The last results, so that a reason survives its turn (CW-2M, R-71). */
function attemptSection(attempts: readonly Attempt[]): string[] {
  if (attempts.length === 0) return [];
  const items = attempts.map(
    ({ iteration, isClaimed, reason }) =>
      `- Iteration ${iteration}: ${isClaimed ? "claimed, not verified" : "not claimed"}: ${reason}`,
  );
  return [["## Previous Verification Attempts", ...items].join("\n")];
}

/** Fixed text; golden tests hold it. A role that is switched off has one iteration, so no loop is promised to it. */
function statusSection({ criterion: frozen, iteration, iterationsMax }: RolePromptParts): string {
  const isOnlyIteration = iterationsMax === 1;
  const { role, criterion, outcome, acceptanceCriteria } = frozen;
  return [
    "## Ralph Loop Status",
    `- **Iteration**: ${iteration}/${iterationsMax}`,
    `- **Agent**: ${role}`,
    "",
    '## Task Outcome (What "Done" Means)',
    outcome,
    "",
    "## Acceptance Criteria",
    ...acceptanceCriteria.map((item) => `- [ ] ${item}`),
    "",
    "## Your Completion Requirements",
    "",
    "Only when this stage is GENUINELY complete:",
    "",
    `**Success Criteria for ${role}:**`,
    criterion.description,
    "",
    "**To signal completion, output:**",
    "```",
    `<promise>${criterion.promise}</promise>`,
    "```",
    "",
    "**CRITICAL:**",
    "- Only output the promise when ALL acceptance criteria are truly met",
    `- Your completion will be verified using: ${criterion.verification.method}`,
    `- False promises will be detected${isOnlyIteration ? ", and no further iteration follows" : " and the loop will continue"}`,
    "- If blocked, explain what's preventing completion",
    "",
    isOnlyIteration
      ? "This is the only iteration: a completion that is not genuine ends the stage unfinished."
      : `The loop will continue until genuine completion or iteration ${iterationsMax}.`,
  ].join("\n");
}
