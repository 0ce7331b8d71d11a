import { setTimeout as wait } from "node:timers/promises";
import { RalphError } from "../../core/ralph-error.ts";
import type { Machine } from "../../shell/machine.ts";
import type { AskedRequest, RunRecord } from "../../shell/ports.ts";

/** Two graces and some checks: the longest an obedient driver needs to end a stubborn agent. */
const answerMsMax = 30_000;
const pollMs = 100;

/** Asks a driven run and waits until it has heard. A driver that does not answer is named, not waited for for ever. */
export async function askAndWait(
  machine: Pick<Machine, "store" | "clock">,
  runId: string,
  request: AskedRequest["request"],
  isHeard: (run: RunRecord) => boolean,
): Promise<void> {
  await machine.store.ask(runId, request, machine.clock.now());
  const dueMs = machine.clock.upMs() + answerMsMax;
  while (machine.clock.upMs() < dueMs) {
    const [run] = await machine.store.find(runId);
    if (run !== undefined && isHeard(run)) return;
    await wait(pollMs);
  }
  throw new RalphError(
    "not-found",
    `Run ${runId} was asked to ${request} and has not answered yet.`,
    `See \`ralph status\`.`,
  );
}
