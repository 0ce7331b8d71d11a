import { randomUUID } from "node:crypto";
import { judgeByWords } from "../../core/verification/judge-by-words.ts";
import { diffCharsMax, judgePrompt } from "../../core/verification/judge-prompt.ts";
import { truncateText } from "../../core/text/truncate.ts";
import { redactedText } from "../../core/settings/redact.ts";
import { expandCheckFor } from "../../core/tasks/criteria/check-for.ts";
import type { Verification } from "../../core/tasks/criteria/completion-spec.ts";
import { treeDiff } from "../git/trees/tree-diff.ts";
import { askJudge } from "./judge-tries.ts";
import { type Found, found } from "./found.ts";
import { findNegative } from "./negative-patterns.ts";
import type { VerificationRun } from "./verification-run.ts";

type Semantic = Extract<Verification, { method: "semantic" }>;

/** Verifies by a judge who sees evidence, after a fast look for what must not be there (S2-22 to S2-26). */
export async function verifySemantic(semantic: Semantic, run: VerificationRun, label: string): Promise<Found> {
  const { criterion, turnText } = run;
  const { startCommit, settings } = run.context.frozen;
  const negative = await findNegative(semantic.negativePatterns, { look: run.context, startCommit, turnText });
  if (negative !== null) return found(false, negative);
  const checkFor = expandCheckFor(semantic.checkFor, criterion.acceptanceCriteria);
  if (settings.verification.judge.mode === "words") {
    const { isPassed, reason } = judgeByWords(checkFor, turnText);
    return found(isPassed, reason);
  }
  const diff = await treeDiff(run.context, startCommit);
  const prompt = judgePrompt({
    outcome: criterion.outcome,
    acceptanceCriteria: criterion.acceptanceCriteria,
    checkFor,
    diff: diff === null ? null : redactedText(truncateText(diff.text, diffCharsMax, "both")),
    checks: run.guardrails,
    output: redactedText(turnText),
    fence: `evidence-${randomUUID()}`,
  });
  return askJudge(prompt, { model: semantic.model, run, label });
}
