import { guardrailGates, guardrailKind } from "../../core/contract/guardrail.ts";
import { logName } from "../../core/text/slug.ts";
import type { Verdict } from "../../core/verification/verdict.ts";
import { openCheckLog } from "../verification/check-log.ts";
import { runCheckCommand, shellArgv } from "../verification/run-check-command.ts";
import { cutAnswer, plainAnswer } from "./gate-answer.ts";
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
      const verdict = order.signal.aborted ? null : await runGuardrail(context, order);
      if (verdict === null) return cutAnswer();
      if (!isLook) context.onCheck({ gate, verdict });
      return plainAnswer([verdict]);
    },
};

/** Null when it was cut. */
async function runGuardrail(context: GateContext["context"], request: GateRequest): Promise<Verdict | null> {
  const command = request.gate.name;
  const { projectDir, settings } = context.frozen;
  const index = Math.max(
    0,
    settings.guardrails.findIndex((each) => each.command === command),
  );
  const turnMarker = `${context.runId}.${request.effectId}`;
  const { iteration, role } = request;
  const logFile = request.gate.when === "before-first-turn" ? null : `.ralph/${logOf(context, iteration, command)}`;
  const end = await runCheckCommand(
    {
      argv: shellArgv(command),
      cwd: projectDir,
      env: { ...context.env, RALPH_RUN_ID: context.runId, RALPH_TURN: turnMarker },
      stdin: null,
      turnMarker,
      wallMs: request.wallMs,
      log: logFile === null ? null : openCheckLog(context, { role, iteration, label: command, logFile }),
      output: { charsMax: settings.outputTruncateChars, keep: settings.outputTruncate },
    },
    { ...context, signal: request.signal },
  );
  if (end.kind === "cut") return null;
  const about = { index, name: command, logFile, evidence: end.evidence };
  switch (end.kind) {
    case "not-started": {
      const facts = { isPassed: false, exitCode: 127, isTimedOut: false, durationMs: 0 };
      return { ...about, ...facts, reason: end.message, output: { text: end.message } };
    }
    case "ended": {
      const { exitCode, isTimedOut, durationMs } = end;
      const isPassed = exitCode === 0;
      const reason = isPassed ? "passed" : `"${command}" exited with code ${exitCode}`;
      return {
        ...about,
        isPassed,
        exitCode,
        isTimedOut,
        durationMs,
        reason,
        output: await context.keepText(end.output),
      };
    }
  }
}

/** Equal slugs of one iteration are numbered in the order of the list, whichever guardrail runs first. */
function logOf({ frozen }: GateContext["context"], iteration: number, command: string): string {
  const taken = new Set<string>();
  const names = frozen.settings.guardrails.map((each) => [each.command, logName(iteration, each.command, taken)]);
  return new Map(names.map(([key = "", name = ""]) => [key, name])).get(command) ?? logName(iteration, command, taken);
}
