import * as texts from "../../core/verification/verification-texts.ts";
import type { Verification } from "../../core/tasks/criteria/completion-spec.ts";
import type { CommandEnd } from "../processes/run-check-command.ts";
import { found, type FoundFacts } from "./found.ts";
import type { OutputSearch } from "./search-output.ts";

/** A verification by a command. */
export type External = Extract<Verification, { method: "external" }>;

/** A command that ended, its limit, and what was looked for in its output. */
export type Ended = { end: Exclude<CommandEnd, { kind: "cut" }>; wallMs: number; search: OutputSearch };

/** What the end of a command proves, by what the criterion expects of it. */
export function judged(external: External, { end, wallMs, search }: Ended): FoundFacts {
  if (end.kind === "not-started") return found(false, texts.couldNotRun(end.message), { exitCode: 127 });
  const { exitCode, isTimedOut, durationMs, output } = end;
  const problem = problemOf(external, { end, wallMs, search });
  const facts = { exitCode, isTimedOut, durationMs, output };
  return problem === null ? found(true, texts.externalPassed, facts) : found(false, problem, facts);
}

function problemOf(
  external: External,
  { end, wallMs, search }: Ended & { end: Extract<CommandEnd, { kind: "ended" }> },
): string | null {
  const { successExitCode, outputContains, outputNotContains } = external;
  if (end.isTimedOut) return texts.timedOut(wallMs);
  if (end.exitCode !== successExitCode) return texts.wrongExitCode(end.exitCode, successExitCode);
  if (outputContains !== null && !search.hasFound(outputContains)) return texts.lacksText(outputContains);
  if (outputNotContains !== null && search.hasFound(outputNotContains)) return texts.hasForbidden(outputNotContains);
  return null;
}
