import type { Stage, Verification } from "./completion-spec.ts";
import { writeNegativePattern } from "./negative-pattern.ts";

/** The `verification_config` of a document; reading it gives the same verification. Absent values are left out. */
export function writeVerification(verification: Verification): Record<string, unknown> {
  switch (verification.method) {
    case "string_match":
      return given({ promise: verification.promise, loose: verification.isLoose ? true : null });
    case "semantic":
      return given({
        check_for: verification.checkFor,
        negative_patterns: verification.negativePatterns.map(writeNegativePattern),
        model: verification.model,
      });
    case "external":
      return given({
        command: verification.command,
        success_exit_code: verification.successExitCode,
        output_contains: verification.outputContains,
        output_not_contains: verification.outputNotContains,
        timeout: verification.timeoutMs / 1000,
        working_dir: verification.workingDir,
      });
    case "multi_stage":
      return given({
        stages: verification.stages.map(writeStage),
        require_all: verification.requireAll,
        max_parallel: verification.parallelMax === 1 ? null : verification.parallelMax,
      });
    case "custom":
      return given({
        module: verification.module,
        command: verification.command,
        config: verification.config,
        timeout: verification.timeoutMs / 1000,
      });
  }
}

function writeStage(stage: Stage): Record<string, unknown> {
  return {
    name: stage.name,
    method: stage.verification.method,
    config: writeVerification(stage.verification),
    required: stage.isRequired,
    ...(stage.isAlways ? { always: true } : {}),
  };
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
