import type { Random } from "../simulation/random.ts";
import type { Ended, ScratchProject } from "../run/scratch-project.ts";

/** When a program is struck: so long after its start, or right after it printed so many entries of its journal. */
export type Moment = { afterMs: number } | { afterLines: number };

/** How long an undisturbed run takes, and how many lines it prints. */
export type Measure = { lengthMs: number; lines: number };

/** How a program ended that was to be struck; `struckAt`, by the clock of its journal, is null when it had ended before. */
export type Struck = Ended & { struckAt: number | null; lengthMs: number };

/** What to run and to strike it with. */
export type Strike = { words: string[]; stdin?: string; signal: NodeJS.Signals; moment: Moment | null };

/** Every other moment is tied to an entry of the journal, the others lie anywhere in the run. */
export function drawMoment(random: Random, { lengthMs, lines }: Measure): Moment {
  const isTied = lines > 0 && random.chance(0.5);
  return isTied ? { afterLines: 1 + random.below(lines) } : { afterMs: Math.round(random.next() * lengthMs) };
}

/** For people: the moment in words. */
export function momentText(moment: Moment): string {
  return "afterMs" in moment ? `after ${moment.afterMs} ms` : `after ${moment.afterLines} lines`;
}

/** Runs a program and strikes it at a moment; without one it is left alone. */
export async function strike(project: ScratchProject, { words, stdin, signal, moment }: Strike): Promise<Struck> {
  const began = performance.now();
  const started = project.start(words, stdin === undefined ? {} : { stdin });
  let struckAt: number | null = null;
  const hit = (): void => {
    const isThere = started.child.exitCode === null && started.child.signalCode === null;
    if (struckAt === null && isThere && started.child.kill(signal)) struckAt = Date.now();
  };
  const timer = moment !== null && "afterMs" in moment ? setTimeout(hit, moment.afterMs) : undefined;
  const lines = moment !== null && "afterLines" in moment ? moment.afterLines : Infinity;
  started.child.stdout?.on("data", () => {
    if (linesOf(started.stdout()) >= lines) hit();
  });
  const ended = await started.ended;
  clearTimeout(timer);
  return { ...ended, struckAt, lengthMs: performance.now() - began };
}

/** How many whole lines a text has. */
export function linesOf(text: string): number {
  return text.split("\n").length - 1;
}
