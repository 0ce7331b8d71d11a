import { judgeReminder } from "../../core/verification/judge-prompt.ts";
import { afterReply } from "../../core/verification/judge-reply.ts";
import type { GateStop } from "../../core/run/outcome.ts";
import { judgeTriesDefault } from "../../core/settings/settings.ts";
import type { AskedAgent } from "../agents/ask-agent.ts";
import { type Found, found, type Unasked } from "./found.ts";
import type { VerificationRun } from "./verification-run.ts";

/** One question to a judge. */
export type Asking = { model: string | null; run: VerificationRun; label: string };

/** A switched-off limit still ends one day. */
const judgeMsMax = 24 * 3_600_000;

/** Asks a judge until its reply decides something, or it was cut. What a reply means, `afterReply` says. */
export async function askJudge(prompt: string, asking: Asking): Promise<Found> {
  const { run } = asking;
  const { clock, frozen, note } = run.context;
  const { judge, onJudgeError } = frozen.settings.verification;
  const log = openLog(prompt, asking);
  const hasTimeFor = (waitMs: number): boolean => run.withinTime(waitMs) >= waitMs;
  let question = prompt;
  for (let number = 1; ; number += 1) {
    const { isTreeChanged, ...call } = await ask(question, asking);
    if (run.signal.aborted) return "cut";
    const after = afterReply({ call, isTreeChanged, number, triesMax: triesOf(judge), onJudgeError, hasTimeFor });
    log.add(call.answer ?? "(no answer)");
    if (after.words !== null) log.add(after.words);
    if (after.remark !== null) await note("warning", after.remark);
    if (after.kind === "verdict") return log.end(after.isPassed, after.reason, after.isFallback);
    if (after.kind === "stop") return log.stop(after.name, after.reason);
    if (!(await clock.wait(after.waitMs, run.signal))) return "cut";
    question = after.isReminded ? judgeReminder(prompt) : prompt;
  }
}

/** A run that an older version froze has no number of its own. */
function triesOf(judge: { tries?: number }): number {
  return judge.tries ?? judgeTriesDefault;
}

async function ask(prompt: string, { model, run }: Asking): Promise<AskedAgent & { isTreeChanged: boolean }> {
  const before = await run.fingerprint();
  const wallMs = run.withinTime(run.context.frozen.settings.verification.timeout ?? judgeMsMax);
  const asked = await run.judge({ prompt, model, turnMarker: run.newMarker(), wallMs, signal: run.signal });
  return { ...asked, isTreeChanged: before !== (await run.fingerprint()) };
}

/** What the judge was asked and what it said, for people. */
type JudgeLog = {
  add: (said: string) => void;
  end: (isPassed: boolean, reason: string, isFallback?: boolean) => Promise<Found>;
  stop: (name: GateStop["name"], reason: string) => Promise<Unasked>;
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
