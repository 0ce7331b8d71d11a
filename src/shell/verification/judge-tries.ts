import { readJudgeAnswer } from "../../core/verification/judge-answer.ts";
import { judgeReminder } from "../../core/verification/judge-prompt.ts";
import { judgeTrouble } from "../../core/verification/judge-trouble.ts";
import { promiseFound } from "../../core/verification/verification-texts.ts";
import type { Outcome } from "../../core/run/outcome.ts";
import { judgeTriesDefault } from "../../core/settings/settings.ts";
import type { AskedAgent } from "../agents/ask-agent.ts";
import { type Found, found, type Unasked } from "./found.ts";
import type { VerificationRun } from "./verification-run.ts";

/** One question to a judge. */
export type Asking = { model: string | null; run: VerificationRun; label: string };

/** A switched-off limit still ends one day. */
const judgeMsMax = 24 * 3_600_000;

/** Before the second try and before each later one: a hiccup of the network, then a short outage. */
const waitsMs = [5000, 30_000] as const;

/**
 * Asks a judge until it gives a usable answer, its tries are used up or the time is. Its trouble says nothing about the
 * work: then the settings decide what follows. Trouble that no further call can mend ends it at once.
 */
export async function askJudge(prompt: string, asking: Asking): Promise<Found> {
  const { run } = asking;
  const { clock, frozen, note } = run.context;
  const triesMax = triesOf(frozen.settings.verification.judge);
  const log = openLog(prompt, asking);
  let question = prompt;
  for (let number = 1; ; number += 1) {
    const asked = await ask(question, asking);
    if (run.signal.aborted) return "cut";
    log.add(asked.answer ?? "(no answer)");
    // Its edits were seen by no guardrail: whatever it answers, this tree is not the one that was claimed.
    if (asked.isTreeChanged) return log.end(false, "The judge changed the work tree; its answer does not count");
    const answer = asked.answer === null ? null : readJudgeAnswer(asked.answer);
    if (answer !== null) return log.end(answer.isVerified, answer.reason);
    const trouble = judgeTrouble(asked);
    const words = trouble.words.replace(/\.+$/, "");
    log.add(words);
    if (trouble.isLasting) return log.stop("failed", `The judge cannot be asked: ${words}. See verification.judge.`);
    const waitMs = waitsMs[number - 1] ?? waitsMs[1];
    // A try that could only begin after the deadline is skipped.
    const isLast = number >= triesMax || run.withinTime(waitMs) < waitMs;
    const tries = number === 1 ? "1 try" : `${number} tries`;
    if (isLast) return giveUp(`The judge gave no usable answer in ${tries}; it said last: ${words}`, { run, log });
    await note(
      "warning",
      `The judge gave no usable answer (try ${number} of ${triesMax}); it is asked again in ${waitMs / 1000} s. It said: ${words}`,
    );
    if (!(await clock.wait(waitMs, run.signal))) return "cut";
    question = asked.answer === null ? prompt : judgeReminder(prompt);
  }
}

/** A run that an older version froze has no number of its own. */
function triesOf(judge: { tries?: number }): number {
  return judge.tries ?? judgeTriesDefault;
}

/** The tries are used up: the settings say what that means. */
async function giveUp(reason: string, { run, log }: { run: VerificationRun; log: JudgeLog }): Promise<Found> {
  await run.context.note("warning", `${reason}.`);
  switch (run.context.frozen.settings.verification.onJudgeError) {
    case "wait":
      return log.stop("waiting", `${reason}.`);
    case "reject":
      return log.end(false, reason);
    case "string_match":
      return log.end(true, promiseFound, true);
  }
}

async function ask(prompt: string, { model, run }: Asking): Promise<AskedAgent & { isTreeChanged: boolean }> {
  const before = await run.fingerprint();
  const wallMs = run.withinTime(run.context.frozen.settings.verification.timeout ?? judgeMsMax);
  const asked = await run.judge({ prompt, model, marker: run.newMarker(), wallMs, signal: run.signal });
  return { ...asked, isTreeChanged: before !== (await run.fingerprint()) };
}

/** What the judge was asked and what it said, for people. */
type JudgeLog = {
  add: (said: string) => void;
  end: (isPassed: boolean, reason: string, isFallback?: boolean) => Promise<Found>;
  stop: (name: Outcome["name"], reason: string) => Promise<Unasked>;
};

function openLog(prompt: string, { run, label }: Asking): JudgeLog {
  const { clock } = run.context;
  const startedMs = clock.upMs();
  const said = [prompt];
  const keep = async (): Promise<{ logFile: string | null; evidence: string | null }> => {
    const log = run.openLog(label);
    if (log === null) return { logFile: null, evidence: null };
    await log.write(new TextEncoder().encode(`${said.join("\n\n---- judge ----\n\n")}\n`));
    return { logFile: log.logFile, evidence: await log.close() };
  };
  return {
    add: (text) => void said.push(text),
    async end(isPassed, reason, isFallback = false) {
      const durationMs = Math.round(clock.upMs() - startedMs);
      return found(isPassed, reason, { ...(await keep()), durationMs, ...(isFallback ? { isFallback } : {}) });
    },
    async stop(name, reason) {
      await keep();
      return { stop: { name, reason } };
    },
  };
}
