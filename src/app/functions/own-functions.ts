import type { RunRecord } from "../../shell/ports.ts";

/** Stands in command lines for an agent function. Not a path: a role in a work tree would resolve it. */
export const functionCommand = "(agent function)";

/** The kind of gates that are check functions. */
export const checkFunctionKind = "check-function";

/**
 * Functions of a program: whether one is the agent, and the names of the checks in their order. `commands` are the checks
 * beside them that are commands.
 */
export type OwnFunctions = { hasAgent: boolean; checks: readonly string[]; commands: readonly string[] };

/** A command line has no functions. */
export const noFunctions: OwnFunctions = { hasAgent: false, checks: [], commands: [] };

/** The functions that a run was started with: only the program that has them can resume it. */
export function functionsOf({ frozen, state }: Pick<RunRecord, "frozen" | "state">): OwnFunctions {
  const gates = frozen.contract?.gates ?? state.policy.gates;
  return {
    hasAgent: frozen.settings.agent.command === functionCommand,
    checks: gates.filter(({ kind }) => kind === checkFunctionKind).map(({ name }) => name),
    commands: frozen.settings.guardrails.map(({ command }) => command),
  };
}

/** Whether a run needs functions of the program that started it. */
export function needsProgram(run: Pick<RunRecord, "frozen" | "state">): boolean {
  const { hasAgent, checks } = functionsOf(run);
  return hasAgent || checks.length > 0;
}

/** What of the needed functions is not given, in words; empty: nothing is missing. */
export function missingFunctions(needed: OwnFunctions, given: OwnFunctions): string[] {
  const checks = needed.checks.filter((name, index) => given.checks[index] !== name);
  return [
    ...(needed.hasAgent && !given.hasAgent ? ["its agent"] : []),
    ...(checks.length === 0 ? [] : [`${checks.length === 1 ? "the check" : "the checks"} ${checks.join(", ")}`]),
  ];
}

/** What of the given functions and commands the run was not started with, in words: nobody would ever ask it. Empty: all are known. */
export function unknownFunctions(needed: OwnFunctions, given: OwnFunctions): string[] {
  const checks = [
    ...given.checks.filter((name) => !needed.checks.includes(name)),
    ...given.commands.filter((command) => !needed.commands.includes(command)),
  ];
  return [
    ...(given.hasAgent && !needed.hasAgent ? ["an agent function"] : []),
    ...(checks.length === 0 ? [] : [`${checks.length === 1 ? "the check" : "the checks"} ${checks.join(", ")}`]),
  ];
}

/** How a run gets more iterations. */
export const moreIterations = { flag: "-m 5", option: "moreIterations: 5" };

/** How a run gets the answer to its question. */
export const withAnswer = { flag: '--answer "TEXT"', option: "answer: TEXT" };

/**
 * How a run is resumed: by a command, or by the program whose functions it needs. `more` is a flag of the command and the
 * option that does the same.
 */
export function howToResume(
  run: Pick<RunRecord, "id" | "frozen" | "state">,
  more: { flag: string; option: string } | null = null,
): string {
  if (!needsProgram(run)) return `ralph resume ${run.id}${more === null ? "" : ` ${more.flag}`}`;
  const { supervised } = run.frozen;
  if (supervised !== undefined && functionsOf(run).hasAgent)
    return `superviseLoop({ taskDir: ${JSON.stringify(supervised.taskDir)}, ... }) in the program that started it`;
  const option = more === null ? "" : `, ${more.option}`;
  return `resumeRun({ runId: "${run.id}"${option}, ... }) in the program that started it, with the same functions`;
}
