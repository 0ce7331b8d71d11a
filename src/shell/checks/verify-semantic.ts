import { randomUUID } from "node:crypto";
import { readJudgeAnswer } from "../../core/checks/judge-answer.ts";
import { judgeByWords } from "../../core/checks/judge-by-words.ts";
import { diffCharsMax, judgePrompt, judgeReminder } from "../../core/checks/judge-prompt.ts";
import { promiseFound } from "../../core/checks/verification-texts.ts";
import { truncateText } from "../../core/prompts/truncate.ts";
import { redactedText } from "../../core/settings/redact.ts";
import { expandCheckFor } from "../../core/tasks/check-for.ts";
import type { Verification } from "../../core/tasks/completion-spec.ts";
import { treeDiff } from "../scm/tree-diff.ts";
import { type Found, found } from "./found.ts";
import { findNegative } from "./negative-patterns.ts";
import type { VerificationRun } from "./verification-run.ts";

type Semantic = Extract<Verification, { method: "semantic" }>;

/** A switched-off limit still ends one day. */
const judgeMsMax = 24 * 3_600_000;

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
  return askTwice(prompt, { semantic, run, label });
}

type Asking = { semantic: Semantic; run: VerificationRun; label: string };

/** A second try on garbage or an error; then the settings say what that means (design §10). */
async function askTwice(prompt: string, asking: Asking): Promise<Found> {
  const { run, label } = asking;
  const { clock, frozen } = run.context;
  const startedMs = clock.upMs();
  const said: string[] = [prompt];
  const end = async (isPassed: boolean, reason: string, isFallback = false): Promise<Found> => {
    const durationMs = Math.round(clock.upMs() - startedMs);
    const facts = {
      ...(await keepLog(run, label, said)),
      durationMs,
      ...(isFallback ? { isFallback: true as const } : {}),
    };
    return found(isPassed, reason, facts);
  };
  for (const question of [prompt, judgeReminder(prompt)]) {
    const asked = await ask(question, asking);
    if (run.signal.aborted) return "cut";
    said.push(asked.answer ?? "(no answer)");
    // Its edits were seen by no guardrail: whatever it answers, this tree is not the one that was claimed.
    if (asked.isTreeChanged) return end(false, "The judge changed the work tree; its answer does not count");
    const answer = asked.answer === null ? null : readJudgeAnswer(asked.answer);
    if (answer !== null) return end(answer.isVerified, answer.reason);
  }
  await run.context.note("warning", "The judge gave no usable answer in two tries.");
  if (frozen.settings.verification.onJudgeError === "string_match") return end(true, promiseFound, true);
  return end(false, "The judge gave no usable answer in two tries");
}

type Asked = { answer: string | null; isTreeChanged: boolean };

async function ask(prompt: string, { semantic, run }: Asking): Promise<Asked> {
  const before = await run.fingerprint();
  const wallMs = run.withinTime(run.context.frozen.settings.verification.timeout ?? judgeMsMax);
  const marker = run.newMarker();
  const answer = await run.judge({ prompt, model: semantic.model, marker, wallMs, signal: run.signal });
  return { answer, isTreeChanged: before !== (await run.fingerprint()) };
}

/** What the judge was asked and what it said, for people. */
async function keepLog(
  run: VerificationRun,
  label: string,
  said: readonly string[],
): Promise<{ logFile: string | null; evidence: string | null }> {
  const log = run.openLog(label);
  if (log === null) return { logFile: null, evidence: null };
  await log.write(new TextEncoder().encode(`${said.join("\n\n---- judge ----\n\n")}\n`));
  return { logFile: log.logFile, evidence: await log.close() };
}
