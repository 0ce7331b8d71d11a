import { isObject } from "../../../core/text/is-object.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { closest } from "../../../core/text/closest.ts";
import { acceptancePlaceholder } from "../../../core/tasks/criteria/completion-spec.ts";
import { writeCriterion } from "../../../core/tasks/criteria/read-completion-spec.ts";
import { type Role, roles } from "../../../core/tasks/criteria/role.ts";
import { taskTemplates } from "../../../core/tasks/criteria/templates.ts";
import { listOption, type Options, textOption } from "../input/read-input.ts";

type Document = Record<string, unknown>;

/** The promises of roles for which neither the task nor a flag names one. */
export type RolePromises = Record<Role, string>;

/** Applies the flags to the document of a task; the reader of definitions validates the result. */
export function withFlags(document: Document, options: Options, promises: RolePromises): Document {
  const former = isObject(document["completion"]) ? document["completion"] : {};
  const completion = withCompletionFlags(former, options, promises);
  return {
    ...document,
    ...given("title", textOption(options, "title")),
    ...given("description", textOption(options, "description")),
    ...given("priority", numberOption(options, "priority")),
    ...given("dependencies", listOption(options, "dependsOn")),
    ...given("assignee", textOption(options, "assignee")),
    ...(Object.keys(completion).length === 0 ? {} : { completion }),
  };
}

/** Whether any flag describes the task. */
export function hasDefinitionFlags(options: Options): boolean {
  return Object.keys(options).some((name) => !["json", "projectDir"].includes(name));
}

function given(key: string, value: unknown): Document {
  return value === null ? {} : { [key]: value };
}

/** Passes on a text that is not a number, so that the reader of definitions names it. */
function numberOption(options: Options, name: string): number | string | null {
  const text = textOption(options, name);
  return text !== null && /^\d+$/.test(text.trim()) ? Number(text) : text;
}

function withCompletionFlags(completion: Document, options: Options, promises: RolePromises): Document {
  const template = templateOf(options);
  const criteria = roles.flatMap((role) => {
    const base = template[role] ?? completion[role];
    const criterion = withRoleFlags({ role, promise: promises[role] }, isObject(base) ? base : null, options);
    return criterion === null ? [] : [[role, criterion] as const];
  });
  return {
    ...completion,
    ...given("outcome", textOption(options, "outcome")),
    ...given("acceptance_criteria", listOption(options, "acceptance")),
    ...Object.fromEntries(criteria),
  };
}

function templateOf(options: Options): Partial<Record<Role, Document>> {
  const name = textOption(options, "template");
  if (name === null) return {};
  const names = taskTemplates.map((each) => each.name);
  const template = taskTemplates.find((each) => each.name === name);
  if (template === undefined) {
    const near = closest(name, names);
    const hint = `${near === null ? "" : `Did you mean ${near}? `}There are ${names.join(", ")}.`;
    throw new RalphError("usage", `There is no template "${name}".`, hint);
  }
  return Object.fromEntries(Object.entries(template.criteria).map(([role, each]) => [role, writeCriterion(each)]));
}

/** The methods that flags support; the others need a file. */
const flagMethods = ["string_match", "semantic", "external", "multi_stage"];

function withRoleFlags(
  { role, promise: usual }: { role: Role; promise: string },
  base: Document | null,
  options: Options,
): Document | null {
  const promise = textOption(options, `${role}Promise`);
  const method = textOption(options, `${role}Verify`);
  const commands = listOption(options, `${role}VerifyCmd`);
  const limit = given("max_iterations", numberOption(options, `${role}MaxIterations`));
  // A role may have a limit alone: then its promise and its method are the defaults.
  const isDefined = base !== null && "promise" in base;
  if (promise === null && method === null && commands === null) {
    const limited = { ...base, ...limit };
    return Object.keys(limited).length === 0 ? null : limited;
  }
  const named = {
    ...base,
    ...(isDefined ? {} : { promise: usual }),
    ...given("promise", promise),
    ...limit,
  };
  if (method === null && commands === null && isDefined) return named;
  return { ...named, ...verificationOf(role, method ?? methodFor(commands), commands ?? []) };
}

/** With commands only, they decide the method; without any, a judge reads the acceptance criteria. */
function methodFor(commands: readonly string[] | null): string {
  if (commands === null) return "semantic";
  return commands.length === 1 ? "external" : "multi_stage";
}

function verificationOf(role: Role, method: string, commands: readonly string[]): Document {
  const refuse = (sentence: string, hint: string): never => {
    throw new RalphError("usage", `--${role}-verify ${sentence}`, hint);
  };
  const command = `--${role}-verify-cmd "npm test"`;
  if (!flagMethods.includes(method))
    refuse(`takes ${flagMethods.join(", ")}, found "${method}".`, "Other ways are written in YAML: ralph task import.");
  const needsCommand = method === "external" || method === "multi_stage";
  if (needsCommand && commands.length === 0) refuse(`${method} needs a command.`, `Add ${command}.`);
  if (!needsCommand && commands.length > 0)
    refuse(`${method} runs no command.`, `Leave --${role}-verify-cmd out, or verify by external.`);
  if (method === "external" && commands.length > 1)
    refuse(`external runs one command, ${commands.length} are given.`, `Use --${role}-verify multi_stage.`);
  return { verification_method: method, verification_config: configOf(method, commands) };
}

const judged = { check_for: [acceptancePlaceholder] };

function configOf(method: string, commands: readonly string[]): Document {
  if (method === "semantic") return judged;
  if (method === "external") return { command: commands[0] };
  if (method === "string_match") return {};
  const stages = commands.map((command) => ({ name: command.slice(0, 80), method: "external", config: { command } }));
  return { stages: [...stages, { name: "acceptance", method: "semantic", config: judged }] };
}
