import { setTimeout as wait } from "node:timers/promises";
import { RalphError } from "../../core/ralph-error.ts";
import type { Machine } from "../../shell/machine.ts";
import type { AskedRequest, RunRecord } from "../../shell/ports.ts";

/** Two graces and some checks: the longest time a working driver needs to end a stubborn agent. */
const answerMsMax = 30_000;
const pollMs = 100;

/** Sends a request to a driven run and waits until it is read. After a limit it names a driver that does not answer. */
export async function askAndWait(
  machine: Pick<Machine, "store" | "clock">,
  runId: string,
  request: AskedRequest["request"],
  isHeard: (run: RunRecord) => boolean,
): Promise<void> {
  await machine.store.ask(runId, request, machine.clock.now());
  if (await waitFor(machine, { runId, isHeard, msMax: answerMsMax })) return;
  throw notAnswered(runId, request);
}

/** The error for a driver that does not answer. */
export function notAnswered(runId: string, request: AskedRequest["request"]): RalphError {
  const message = `Run ${runId} was asked to ${request} and has not answered yet.`;
  return new RalphError("not-found", message, "See `ralph status`.");
}

/** Whether a run reached the wanted state within the time. */
export async function waitFor(
  machine: Pick<Machine, "store" | "clock">,
  { runId, isHeard, msMax }: { runId: string; isHeard: (run: RunRecord) => boolean; msMax: number },
): Promise<boolean> {
  const dueMs = machine.clock.upMs() + msMax;
  while (machine.clock.upMs() < dueMs) {
    const [run] = await machine.store.find(runId);
    if (run !== undefined && isHeard(run)) return true;
    await wait(pollMs);
  }
  return false;
}
