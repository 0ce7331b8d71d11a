import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";
import { endDeadRuns } from "../cleanup/end-dead-runs.ts";
import { howToResume, needsProgram } from "../functions/own-functions.ts";
import { costWarnings } from "../prepare/load-run-settings.ts";
import { safetyLine } from "./safety-line.ts";
import { requireCleanTree } from "./require-clean-tree.ts";
import type { StartTalk } from "./start-talk.ts";

/** One start of any kind of run. */
export type Launch<End> = {
  frozen: FrozenRun;
  talk: StartTalk;
  isDirtyAllowed: boolean;
  /** What this kind of run does before it starts, once no run that was cut off is resumed instead. */
  prepare?: () => Promise<void>;
  start: () => Promise<End>;
  resume: (runId: string) => Promise<End>;
};

/**
 * Clears away what dead runs left, offers the newest of them, and starts the run. A run whose driver was killed is never
 * silently forgotten: it is resumed, or a line says how.
 */
export async function launch<End>(machine: Machine, order: Launch<End>): Promise<End> {
  const { frozen, talk } = order;
  const { settings, projectDir } = frozen;
  for (const line of costWarnings(machine, frozen)) talk.say(line);
  const { days, bytes } = settings.store.keep;
  await machine.store.prune({ days, bytesMax: bytes }, machine.clock.now());
  const cutOff = await endDeadRuns(machine, frozen.supervised?.taskDir ?? projectDir, talk.say);
  if (cutOff !== null) {
    const sentence = cutOffSentence(cutOff);
    const isSameKind = (cutOff.frozen.work === undefined) === (frozen.work === undefined);
    const isOffered = isSameKind && !needsProgram(cutOff);
    if (isOffered && (await talk.isResumed(cutOff, sentence))) {
      talk.introduce(safetyLine(cutOff.frozen));
      return order.resume(cutOff.id);
    }
    talk.say(`${sentence} Resume it with: ${howToResume(cutOff)}`);
  }
  talk.introduce(safetyLine(frozen));
  await order.prepare?.();
  if (!order.isDirtyAllowed) await requireCleanTree(machine, settings, { projectDir, talk });
  return order.start();
}

function cutOffSentence({ id, frozen, state }: RunRecord): string {
  return frozen.work === undefined
    ? `Run ${id} was cut off in iteration ${state.iteration}.`
    : `Work ${id} was cut off.`;
}
