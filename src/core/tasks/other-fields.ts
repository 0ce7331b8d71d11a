import { closest } from "../text/closest.ts";
import { roles } from "./criteria/role.ts";

/**
 * Fields of a task that say how far it is elsewhere. They are kept for the program that wrote them and never believed: only
 * verified work moves a task here.
 */
const foreignKeys = ["status", "iteration", "created_at", "updated_at", "completed", "completed_at"];

/** Fields that decide something one level deeper. Outside of their place they would be ignored, and nobody would notice. */
const deeperKeys: ReadonlyMap<string, string> = new Map([
  ...["outcome", "acceptance_criteria", "acceptance", ...roles].map((key) => [key, "completion"] as const),
  ...[
    "promise",
    "verification",
    "verification_method",
    "verification_config",
    "verify",
    "verify_command",
    "max_iterations",
    "command",
    "check_for",
    "negative_patterns",
    "stages",
  ].map((key) => [key, "completion.<role>"] as const),
]);

/** A field that somebody may take for a check of the work: kept, it would check nothing. */
const readsAsCheck =
  /verif|guard|check|criteri|valid|accept|assert|gate|(?:^|_)tests?(?:_|$)|done_when|definition_of_done/;

/** Other programs' words for fields of a task. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ["criteria", "completion"],
  ["done", "completion"],
  ["deps", "dependencies"],
  ["depends", "dependencies"],
  ["depends_on", "dependencies"],
  ["blocked_by", "dependencies"],
  ["requires", "dependencies"],
]);

/** Why an unknown field of a task is refused, or null: it changes nothing here and is kept as it is. */
export function otherFieldProblem(key: string, known: readonly string[]): string | null {
  if (foreignKeys.includes(key)) return null;
  const plain = snakeCase(key);
  const place = deeperKeys.get(plain);
  if (place !== undefined) return `"${key}" belongs in ${place}: ${place}.${plain}`;
  if (readsAsCheck.test(plain))
    return `"${key}" reads as a check, and no such field of a task is one: what a role is held to stands in completion.<role>`;
  const meant = otherWords.get(plain) ?? misspelt(plain, known);
  return meant === null ? null : `unknown key "${key}"; did you mean "${meant}"?`;
}

/** The known key that was probably meant: all but a few letters of it are there, or it was cut short. */
function misspelt(key: string, known: readonly string[]): string | null {
  const begun = key.length < 3 ? undefined : known.find((each) => each.startsWith(key));
  if (begun !== undefined) return begun;
  const near = closest(key, known);
  // Every word of four letters is close to "id".
  return near !== null && near.length * 2 > key.length ? near : null;
}

function snakeCase(key: string): string {
  return key
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(/[\s-]+/g, "_")
    .toLowerCase();
}
