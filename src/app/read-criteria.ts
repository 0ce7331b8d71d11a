import { join } from "node:path";
import { criterionName } from "../core/tasks/criteria/criterion-name.ts";
import { criteriaPath } from "../core/contract/criteria-path.ts";
import { outcomeDefault } from "../core/prompts/role-prompt.ts";
import { RalphError } from "../core/ralph-error.ts";
import type { Settings } from "../core/settings/settings.ts";
import { roleTerms } from "../core/work/role-terms.ts";
import type { Problem } from "../core/tasks/criteria/document-fields.ts";
import { readCompletionSpec, readCriterion } from "../core/tasks/criteria/read-completion-spec.ts";
import { readTask } from "../core/tasks/read-task.ts";
import type { CompletionSpec, VerificationMethod } from "../core/tasks/criteria/completion-spec.ts";
import type { RoleCriterion } from "../core/tasks/criteria/role-criterion.ts";
import { type Role, roles } from "../core/tasks/criteria/role.ts";
import { parseCriteria } from "../shell/gates/project-criteria.ts";
import type { Disk } from "../shell/ports.ts";

/**
 * A criterion with the names that a task file uses.
 *
 * @example
 * ```ts
 * import { type CriterionDocument, verifyCriteria } from "ralph";
 *
 * const criteria: CriterionDocument = {
 *   promise: "BUILT",
 *   verification_method: "external",
 *   verification_config: { command: "true" },
 * };
 * console.log((await verifyCriteria({ criteria })).isPassed); // true
 * ```
 */
export type CriterionDocument = {
  promise: string;
  description?: string;
  /** `string_match` when it is left out. */
  verification_method?: VerificationMethod;
  /** The keys of the method: `command`, `check_for`, `stages` … */
  verification_config?: Readonly<Record<string, unknown>>;
  max_iterations?: number | null;
};

/**
 * What done means for a task: its outcome, its acceptance criteria, and a criterion per role.
 *
 * @example
 * ```ts
 * import { type CompletionDocument, verifyCriteria } from "ralph";
 *
 * const criteria: CompletionDocument = {
 *   outcome: "Users sign in with a token.",
 *   acceptance_criteria: ["POST /login returns a token"],
 *   tester: { promise: "TESTS_PASS", verification_method: "external", verification_config: { command: "exit 1" } },
 * };
 * console.log((await verifyCriteria({ criteria })).verdicts[0]?.reason);
 * ```
 */
export type CompletionDocument = { outcome: string; acceptance_criteria: readonly string[] } & {
  [Name in Role]?: CriterionDocument | null;
};

/**
 * A task with the names that a task file uses. `completion_spec` is another name of `completion`, `spec_id` of `spec`.
 *
 * @example
 * ```ts
 * import { type TaskDocument, verifyCriteria } from "ralph";
 *
 * const task: TaskDocument = { id: "login", title: "Sign in" };
 * const { verdicts } = await verifyCriteria({ task, role: "tester", settings: { verifyCommand: "true" } });
 * console.log(verdicts[0]?.promise, verdicts[0]?.isPassed); // TESTS_PASSED true
 * ```
 */
export type TaskDocument = {
  id: string;
  title: string;
  spec?: string;
  spec_id?: string;
  description?: string;
  priority?: number;
  dependencies?: readonly string[];
  assignee?: string | null;
  metadata?: Readonly<Record<string, unknown>>;
  completion?: CompletionDocument | null;
  completion_spec?: CompletionDocument | null;
};

/** What a caller wants to have verified: one of the two, or neither for the criteria of the project. */
export type CriteriaSource = {
  criteria?: CompletionDocument | CriterionDocument;
  task?: TaskDocument;
  role?: Role;
};

/** Where criteria are read. */
export type CriteriaContext = { disk: Pick<Disk, "readText">; projectDir: string; settings: Settings };

/** The criteria of a call, ready to be verified. Rejects with a `RalphError` that names what is wrong with the document. */
export async function readCriteria(source: CriteriaSource, context: CriteriaContext): Promise<RoleCriterion[]> {
  if (source.task !== undefined) return criteriaOfTask(source.task, source.role ?? null, context.settings);
  const given =
    source.criteria === undefined ? await projectCriteria(context) : criteriaOfDocument(source.criteria, source.role);
  const wanted = given.filter(({ role }) => source.role === undefined || role === source.role);
  if (wanted.length > 0) return wanted;
  const where = source.criteria === undefined ? criteriaPath : "option criteria";
  throw new RalphError(
    "contract",
    `verifyCriteria: ${where} has no criterion of ${source.role ?? "any role"}.`,
    needed,
  );
}

const needed = "Give a criterion, or a completion with at least one of coder, reviewer, tester and qa.";

function criteriaOfDocument(document: CompletionDocument | CriterionDocument, role: Role = "coder"): RoleCriterion[] {
  if (!("promise" in document)) {
    const read = readCompletionSpec(document);
    return "problems" in read ? refuse("criteria", read.problems) : criteriaOfSpec(read.spec);
  }
  const read = readCriterion(document);
  if ("problems" in read) return refuse("criteria", read.problems);
  return [{ role, criterion: read.criterion, outcome: criterionName(read.criterion), acceptanceCriteria: [] }];
}

function criteriaOfSpec({ outcome, acceptanceCriteria, criteria }: CompletionSpec): RoleCriterion[] {
  return roles.flatMap((role) => {
    const criterion = criteria[role];
    return criterion === undefined ? [] : [{ role, criterion, outcome, acceptanceCriteria }];
  });
}

/** A role that the task says nothing of has its default criterion, as in `ralph work`. */
function criteriaOfTask(document: TaskDocument, role: Role | null, settings: Settings): RoleCriterion[] {
  const read = readTask(document);
  if ("problems" in read) return refuse("task", read.problems);
  const { task } = read;
  const own = roles.filter((each) => task.completion?.criteria[each] !== undefined);
  const wanted = role === null ? own : [role];
  if (wanted.length === 0)
    throw new RalphError("usage", `verifyCriteria: task ${task.id} has no criterion of its own.`, "Give option role.");
  return wanted.map((each) => ({
    role: each,
    criterion: roleTerms(task, each, settings).criterion,
    outcome: task.completion?.outcome ?? outcomeDefault,
    acceptanceCriteria: task.completion?.acceptanceCriteria ?? [],
  }));
}

async function projectCriteria({ disk, projectDir }: CriteriaContext): Promise<RoleCriterion[]> {
  const text = await disk.readText(join(projectDir, criteriaPath));
  if (text === null)
    throw new RalphError(
      "contract",
      `verifyCriteria: nothing to verify: ${join(projectDir, criteriaPath)} does not exist.`,
      "Write that file, or give option criteria or task.",
    );
  const { criteria, problem } = parseCriteria(text);
  if (criteria === undefined) throw new RalphError("contract", `${problem}.`, `Correct ${criteriaPath}.`);
  return criteria;
}

function refuse(option: string, problems: readonly Problem[]): never {
  const lines = problems.map(({ path, message }) => `${path === "" ? option : `${option}.${path}`} ${message}`);
  throw new RalphError("usage", `verifyCriteria: ${lines.join("; ")}.`, `Correct option ${option}.`);
}
