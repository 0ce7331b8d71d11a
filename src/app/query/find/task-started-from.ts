import { wireStore } from "../../../shell/wire-store.ts";
import { runsOf } from "./runs-of.ts";

/** The directory of the newest supervised task that was started from a directory, or of the newest at work; null: there is none. */
export async function taskStartedFrom(directory: string, which: "newest" | "at-work"): Promise<string | null> {
  const machine = await wireStore();
  try {
    const runs = await runsOf(machine, directory);
    const found = runs.find(
      ({ frozen, outcome }) => frozen.supervised !== undefined && (which === "newest" || outcome === null),
    );
    return found?.frozen.supervised?.taskDir ?? null;
  } finally {
    await machine.store.close();
  }
}
