import type { Policy } from "../engine/policy.ts";
import { runPolicy } from "./run-policy.ts";
import type { Settings } from "./settings.ts";

/** Iterations of a run on a task list when nobody says otherwise (S4-05, CB-02). */
export const prdIterationsDefault = 15;

/** What the agent says when every story is approved. */
export const prdCompletionText = "COMPLETE";

/** Turns in a row without any change that stop a run on a task list (design §8). */
const noProgressDefault = 3;

/** Turns in a row without a word that stop it (CW-4K). */
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

/** What a run on a task list takes from elsewhere than the settings. */
export type PrdGiven = {
  /** Null: nobody gave a number, neither by flag nor in a file. */
  iterations: Settings["maximumIterations"] | null;
  /** Of the task file, frozen at the start: guardrails like those of the settings. */
  verifyCommands: readonly string[];
};

/** The settings as far as a run on a task list has them. */
export function prdSettings(settings: Settings, { iterations, verifyCommands }: PrdGiven): Settings {
  const known = new Set(settings.guardrails.map(({ command }) => command));
  const added = [...new Set(verifyCommands.map((command) => command.trim()))]
    .filter((command) => command !== "" && !known.has(command))
    .map((command) => ({ command, failAction: "APPEND" as const }));
  return {
    ...settings,
    maximumIterations: iterations ?? prdIterationsDefault,
    completionResponse: prdCompletionText,
    includeIterationCountInPrompt: false,
    guardrails: [...settings.guardrails, ...added],
    completion: { ...settings.completion, signals: ["promise"], requireProgress: false },
    breaker: { ...settings.breaker, noProgress: settings.breaker.noProgress ?? noProgressDefault },
    // A reviewer that remembers the work is no reviewer (S4-07, CB-06).
    agent: { ...settings.agent, context: "reset" },
  };
}
