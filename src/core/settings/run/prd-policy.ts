import type { Policy } from "../../run/policy.ts";
import type { PrdRun } from "../../prd/prd-run.ts";
import { noProgressOf, runPolicy } from "./run-policy.ts";
import type { Guardrail, Settings } from "../settings.ts";

/** Default limit of iterations of a run on a task list (S4-05, CB-02). */
export const prdIterationsDefault = 15;

/** What the agent says when every story is approved. */
export const prdCompletionText = "COMPLETE";

/** Turns in a row without any change that stop a run on a task list. */
const noProgressDefault = 3;

/** Turns in a row without any output that stop it (CW-4K). */
const emptyTurnsMax = 3;

/** The engine's numbers for a `ralph prd run`, from settings made by `prdSettings`. */
export function prdPolicy(settings: Settings): Policy {
  return {
    ...runPolicy(settings),
    kind: "prd",
    claimBy: "gate",
    emptyTurnsMax,
  };
}

/** What a run on a task list takes from other sources than the settings. */
export type PrdGiven = {
  /** Null: neither a flag nor a file gives a number. */
  iterations: Settings["maximumIterations"] | null;
  /** Of the task file: guardrails like those of the settings. */
  verifyCommands: readonly string[];
};

/** The settings of a run on a task list. */
export function prdSettings(settings: Settings, { iterations, verifyCommands }: PrdGiven): Settings {
  return {
    ...settings,
    maximumIterations: iterations ?? prdIterationsDefault,
    completionResponse: prdCompletionText,
    includeIterationCountInPrompt: false,
    guardrails: withVerifyCommands(settings.guardrails, verifyCommands),
    completion: { ...settings.completion, signals: ["promise"], requireProgress: false },
    breaker: { ...settings.breaker, noProgress: noProgressOf(settings, noProgressDefault) },
    // A reviewer must not remember the work it reviews (S4-07, CB-06).
    agent: { ...settings.agent, context: "reset" },
  };
}

/** The guardrails of a run after people changed the verify commands of its list between turns. */
export function revisedGuardrails(
  { guardrails }: Pick<Settings, "guardrails">,
  { settingsGuardrails }: Pick<PrdRun, "settingsGuardrails">,
  verifyCommands: readonly string[],
): Guardrail[] {
  if (settingsGuardrails === undefined) return guardrails;
  return withVerifyCommands(guardrails.slice(0, settingsGuardrails), verifyCommands);
}

function withVerifyCommands(guardrails: readonly Guardrail[], verifyCommands: readonly string[]): Guardrail[] {
  const known = new Set(guardrails.map(({ command }) => command));
  const added = [...new Set(verifyCommands.map((command) => command.trim()))]
    .filter((command) => command !== "" && !known.has(command))
    .map((command) => ({ command, failAction: "APPEND" as const }));
  return [...guardrails, ...added];
}
