import { criteriaPath } from "../../contract/criteria-path.ts";

/** Why the checks of a session cannot be used, and what a person does about it; both are sentences. */
export type UnusableChecks = { problem: string; remedy: string };

/** The criteria file of the project is wrong. */
export function unusableCriteria(problem: string): UnusableChecks {
  return { problem: sentence(problem), remedy: `Correct ${criteriaPath} before the next session.` };
}

/** The settings are wrong; `problem` names each file, its line and the value found. */
export function unusableSettings(problem: string): UnusableChecks {
  const remedy = "Correct these settings before the next session; `ralph settings schema` says what each may be.";
  return { problem: sentence(problem), remedy };
}

/** What was frozen for the session is wrong. */
export function unusableRecord(problem: string, isLoop: boolean): UnusableChecks {
  const remedy = isLoop ? "Cancel the loop and start it again." : "Start a new session.";
  return { problem: sentence(problem), remedy };
}

/** All of it. */
export function unusableText({ problem, remedy }: UnusableChecks): string {
  return `${problem} ${remedy}`;
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
