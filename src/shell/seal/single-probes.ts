import { type SingleSpot, spotsById } from "../../core/verification/falsify/single-spots.ts";
import {
  inOrderOfWorth,
  isDeafSpot,
  knownSpot,
  type KnownSpot,
  singleProbeMs,
  type SpotRun,
  withoutMark,
} from "../../core/verification/sealed/single-probe.ts";
import type { CommandEnd } from "../processes/run-check-command.ts";

/** Runs a check with one test file in the place of another; `cut`: it was told to end. Null: with the tests as they are. */
export type RunSpot = (overlay: ReadonlyMap<string, string> | null) => Promise<SpotRun | "cut">;

/** Which single expectations the check of the base listens to, the ones first that candidates are asked for first. */
export async function listenToSpots(
  spots: readonly SingleSpot[],
  plain: SpotRun,
  runSpot: RunSpot,
): Promise<KnownSpot[]> {
  const { run, isOver } = withinTime(runSpot);
  const again = plain.exitCode === 0 || spots.length === 0 ? plain : await run(null);
  const known = [];
  for (const spot of spots) {
    if (isOver() || again === "cut") break;
    const falsified = await run(new Map([[spot.path, spot.text]]));
    if (falsified === "cut") break;
    const runs = { id: spot.id, plain: [plain, again], falsified: withoutMark(falsified, spot.mark) };
    const first = knownSpot({ ...runs, inverted: null });
    const isSettled = first === null || first.isHeard || spot.inverted === null;
    const inverted = isSettled ? null : await run(new Map([[spot.path, spot.inverted ?? ""]]));
    if (inverted === "cut") break;
    const shown = knownSpot({ ...runs, inverted });
    if (shown !== null) known.push({ ...shown, group: spot.group });
  }
  return inOrderOfWorth(known);
}

/** Whether a green check is deaf to one of them in the tests of a candidate; `cut`: it was told to end. */
export async function isDeafToSpots(
  texts: ReadonlyMap<string, string>,
  known: readonly KnownSpot[],
  runSpot: RunSpot,
): Promise<boolean | "cut"> {
  const { run, isOver } = withinTime(runSpot);
  const byId = spotsById(
    texts,
    known.map(({ id }) => id),
  );
  for (const each of known) {
    const spot = byId.get(each.id);
    if (isOver()) break;
    if (spot === undefined) continue;
    const ended = await run(new Map([[spot.path, spot.text]]));
    if (ended === "cut") return "cut";
    if (ended.exitCode !== 0) continue;
    const isAsked = !each.isHeard && spot.inverted !== null;
    const inverted = isAsked ? await run(new Map([[spot.path, spot.inverted ?? ""]])) : null;
    if (inverted === "cut") return "cut";
    if (isDeafSpot(each, inverted)) return true;
  }
  return false;
}

/** What a run of a check shows of what it noticed. One that could not be started has the shell's code for that. */
export function spotRunOf(end: CommandEnd): SpotRun | "cut" {
  if (end.kind === "cut") return "cut";
  if (end.kind === "not-started") return { exitCode: 127, output: end.message, durationMs: 0 };
  return { exitCode: end.exitCode, output: end.output, durationMs: end.durationMs };
}

/** Counts how long the runs took together: the expectations that are left then are not tried. */
function withinTime(runSpot: RunSpot): { run: RunSpot; isOver: () => boolean } {
  let usedMs = 0;
  return {
    async run(overlay) {
      const ended = await runSpot(overlay);
      usedMs += ended === "cut" ? 0 : ended.durationMs;
      return ended;
    },
    isOver: () => usedMs > singleProbeMs,
  };
}
