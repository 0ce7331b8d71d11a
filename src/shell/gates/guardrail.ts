import { guardrailGates, guardrailKind } from "../../core/contract/guardrail.ts";
import { logName } from "../../core/text/slug.ts";
import { inlineCharsMax, type Verdict } from "../../core/verification/verdict.ts";
import { openCheckLog } from "../verification/check-log.ts";
import { runCheckCommand, shellArgv } from "../processes/run-check-command.ts";
import { checkInCopy, type CopyCheck, type CopyEnd } from "../seal/check-in-copy.ts";
import { sealedCandidate } from "../../core/verification/sealed/is-sealed-order.ts";
import type { RunSeal } from "../seal/run-seal.ts";
import { cutAnswer, plainAnswer } from "../../core/run/gate-answer.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import type { GateKind, GateRequest, GateContext } from "./gate-kind.ts";

/** A guardrail of the settings: one shell command, green when it exits with 0. */
export const guardrail: GateKind = {
  name: guardrailKind,
  gatesOf: guardrailGates,
  open:
    ({ context }) =>
    async (order) => {
      const { gate } = order;
      // A look before the first turn leaves no log.
      const isLook = gate.when === "before-first-turn";
      if (!isLook) context.onCheck({ gate, verdict: null });
      const ended = order.signal.aborted ? null : await runGuardrail(context, order);
      if (ended === null) return cutAnswer();
      const { verdict, output } = ended;
      const head = verdict.isPassed ? {} : { output: output.slice(0, inlineCharsMax) };
      if (!isLook) context.onCheck({ gate, verdict, ...head });
      return plainAnswer([verdict]);
    },
};

/** The verdict, and the output in it as text. */
type EndedGuardrail = { verdict: Verdict; output: string };

/** Null when it was cut. */
async function runGuardrail(context: GateContext["context"], request: GateRequest): Promise<EndedGuardrail | null> {
  const command = request.gate.name;
  const { projectDir, settings } = context.frozen;
  const index = Math.max(
    0,
    settings.guardrails.findIndex((each) => each.command === command),
  );
  const turnMarker = `${context.runId}.${request.effectId}`;
  const { iteration, role } = request;
  const logFile = request.gate.when === "before-first-turn" ? null : `.ralph/${logOf(context, iteration, command)}`;
  const log = logFile === null ? null : openCheckLog(context, { role, iteration, label: command, logFile });
  const { wallMs, signal } = request;
  const candidate = sealedCandidate(request);
  if (context.seal !== undefined && candidate !== null) {
    const sealed = { command, turnMarker, wallMs, log, signal, candidate };
    return runInCopy({ ...context, seal: context.seal }, sealed, { index, logFile });
  }
  const end = await runCheckCommand(
    {
      argv: shellArgv(command),
      cwd: projectDir,
      env: { ...context.env, RALPH_RUN_ID: context.runId, RALPH_TURN: turnMarker },
      stdin: null,
      turnMarker,
      wallMs,
      log,
      output: { charsMax: settings.outputTruncateChars, keep: settings.outputTruncate },
    },
    { ...context, signal },
  );
  if (end.kind === "cut") return null;
  const about = { index, name: command, logFile, evidence: end.evidence };
  switch (end.kind) {
    case "not-started": {
      const facts = { isPassed: false, exitCode: 127, isTimedOut: false, durationMs: 0 };
      const { message } = end;
      return { verdict: { ...about, ...facts, reason: message, output: { text: message } }, output: message };
    }
    case "ended": {
      const { exitCode, isTimedOut, durationMs } = end;
      const isPassed = exitCode === 0;
      const reason = isPassed ? "passed" : `"${command}" exited with code ${exitCode}`;
      const facts = { isPassed, exitCode, isTimedOut, durationMs, reason };
      const output = await context.keepText(end.output);
      return { verdict: { ...about, ...facts, output }, output: end.output };
    }
  }
}

type SealedContext = GateContext["context"] & { seal: RunSeal };

/** The same command on exactly what would be delivered, where the agent never was. A copy that cannot be made is red. */
async function runInCopy(
  context: SealedContext,
  order: Omit<CopyCheck, "problemOf">,
  about: { index: number; logFile: string | null },
): Promise<EndedGuardrail | null> {
  const { command, candidate } = order;
  try {
    const ended = await checkInCopy(context.seal, { ...order, problemOf: (end) => problemOf(command, end) }, context);
    if (ended === "cut") return null;
    const { end, verdict: judged, told: output } = ended;
    const facts = end.kind === "ended" ? end : { exitCode: 127, isTimedOut: false, durationMs: 0 };
    const { exitCode, isTimedOut, durationMs } = facts;
    const { isPassed, reason, tests, disputable } = judged;
    const isDisputable = !isPassed && disputable.length > 0 ? { isDisputable: true as const } : {};
    const sealed = { isSealed: true as const, candidate, ...isDisputable, ...(tests === null ? {} : { tests }) };
    const verdict = { ...about, name: command, isPassed, exitCode, isTimedOut, durationMs, reason, ...sealed };
    return { verdict: { ...verdict, output: await context.keepText(output), evidence: end.evidence }, output };
  } catch (error) {
    await order.log?.close();
    const problem = thrownText(error);
    const reason = `The sealed copy could not be used: ${problem}`;
    const facts = { isPassed: false, exitCode: 127, isTimedOut: false, durationMs: 0, reason };
    const output = { text: reason };
    return { verdict: { ...about, name: command, ...facts, output, evidence: null }, output: reason };
  }
}

function problemOf(command: string, end: CopyEnd): string | null {
  if (end.kind === "not-started") return end.message;
  return end.exitCode === 0 ? null : `"${command}" exited with code ${end.exitCode}`;
}

/** Equal slugs of one iteration are numbered in the order of the list, whichever guardrail runs first. */
function logOf({ frozen }: GateContext["context"], iteration: number, command: string): string {
  const taken = new Set<string>();
  const names = frozen.settings.guardrails.map((each) => [each.command, logName(iteration, each.command, taken)]);
  return new Map(names.map(([key = "", name = ""]) => [key, name])).get(command) ?? logName(iteration, command, taken);
}
