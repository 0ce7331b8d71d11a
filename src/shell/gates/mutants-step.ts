import { addedLines } from "../../core/verification/diff-lines.ts";
import { chooseMutants, type FileMutant, judgeMutants } from "../../core/verification/mutants/choose-mutants.ts";
import { mutantsWanted } from "../../core/verification/sealed/sealed-steps.ts";
import { probeLimitMs } from "../../core/verification/sealed/probe.ts";
import { runAgain, type SealedScene, type StepEnd } from "./sealed-scene.ts";

/** Runs the checks with small mistakes in the changed lines, one at a time; a mistake is noticed when one check is red. */
export async function tryMutants(scene: SealedScene): Promise<StepEnd> {
  const { context, request, dueMs } = scene;
  const mutants = await mutantsIn(scene);
  const unnoticed: FileMutant[] = [];
  let total = 0;
  for (const mutant of mutants) {
    // What was tried by then decides: the time belongs to all steps together.
    if (context.clock.upMs() + longestMs(scene) > dueMs) break;
    const isNoticed = await notices(scene, mutant);
    if (isNoticed === "cut" || request.signal.aborted) return "cut";
    total += 1;
    if (!isNoticed) unnoticed.push(mutant);
  }
  return { problem: judgeMutants({ unnoticed, total }) };
}

async function mutantsIn({ seal, candidate, context }: SealedScene): Promise<FileMutant[]> {
  const lines = addedLines(await seal.difference(candidate));
  const files = await seal.files(candidate);
  const texts = new Map<string, string>();
  for (const path of new Set(lines.map((line) => line.path))) {
    const file = files.get(path);
    if (file?.mode.startsWith("100") === true) texts.set(path, await seal.text(file.object));
  }
  return chooseMutants({ lines, texts, max: mutantsWanted(context.frozen.settings.seal), seed: candidate });
}

async function notices(scene: SealedScene, { path, text }: FileMutant): Promise<boolean | "cut"> {
  for (const [command, { end }] of scene.results) {
    const limitMs = probeLimitMs(end.kind === "ended" ? end.durationMs : 0);
    const ended = await runAgain(scene, { command, variant: "A", overlay: new Map([[path, text]]), limitMs });
    if (ended === "cut") return "cut";
    if (ended.end.kind !== "ended" || ended.end.exitCode !== 0 || ended.end.isTimedOut) return true;
  }
  return false;
}

function longestMs({ results }: SealedScene): number {
  return Math.max(0, ...[...results.values()].map(({ end }) => (end.kind === "ended" ? end.durationMs : 0)));
}
