import { join } from "node:path";
import { parse } from "yaml";
import { criteriaPath } from "../../core/contract/criteria-path.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import { readCompletionSpec } from "../../core/tasks/criteria/read-completion-spec.ts";
import type { RoleCriterion } from "../../core/tasks/criteria/role-criterion.ts";
import { roles } from "../../core/tasks/criteria/role.ts";
import type { Disk } from "../ports.ts";

/** Criteria are a page or two. */
const bytesMax = 1024 * 1024;

/** The run with the project's criteria, read once before it begins; a broken file is an error that names what is wrong. */
export async function withProjectCriteria(disk: Pick<Disk, "readText">, frozen: FrozenRun): Promise<FrozenRun> {
  if (frozen.projectCriteria !== undefined) return frozen;
  const text = await disk.readText(join(frozen.projectDir, criteriaPath), bytesMax);
  if (text === null) return { ...frozen, projectCriteria: [] };
  const { criteria, problem } = parseCriteria(text);
  if (criteria === undefined) throw new RalphError("contract", `${problem}.`, `Correct ${criteriaPath}, or remove it.`);
  return { ...frozen, projectCriteria: criteria };
}

/** Reads the criteria of a project, which have the form of a task's `completion` (S2-03). */
export function parseCriteria(
  text: string,
): { criteria: RoleCriterion[]; problem?: never } | { criteria?: never; problem: string } {
  const document = parseYaml(text);
  if ("problem" in document) return { problem: `${criteriaPath} is not YAML: ${document.problem}` };
  const read = readCompletionSpec(document.value);
  if ("problems" in read) {
    const [first] = read.problems;
    return {
      problem: `${criteriaPath}: ${first === undefined ? "it cannot be used" : `${first.path} ${first.message}`}`,
    };
  }
  const { outcome, acceptanceCriteria, criteria } = read.spec;
  const given = roles.flatMap((role) => {
    const criterion = criteria[role];
    return criterion === undefined ? [] : [{ role, criterion, outcome, acceptanceCriteria }];
  });
  return given.length === 0 ? { problem: `${criteriaPath} has no criterion; begin with coder:` } : { criteria: given };
}

function parseYaml(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
  }
}
