import { RalphError } from "../../../core/ralph-error.ts";
import { findActiveLoop } from "../../../shell/prd/find-active-loop.ts";
import { findRalphFolder, type RalphFolder, requireRalphFolder } from "../../../shell/prd/ralph-folder.ts";
import type { Disk } from "../../../shell/ports.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import { drivenOf } from "../../../app/query/is-driven.ts";
import { type Options, projectDirOption, textOption } from "../input/read-input.ts";

/** The project and the folder of its task list. */
export type PrdPlace = { projectDir: string; folder: RalphFolder };

/** The place of a command, with or without a list. */
export function prdPlace(options: Options): PrdPlace {
  const projectDir = projectDirOption(options);
  return { projectDir, folder: findRalphFolder(projectDir, textOption(options, "ralphDir")) };
}

/** The same; a missing list or file is an error with its name. */
export function existingPrdPlace(options: Options): PrdPlace {
  const projectDir = projectDirOption(options);
  return { projectDir, folder: requireRalphFolder(projectDir, textOption(options, "ralphDir")) };
}

/** Refuses while a run is active here: it would lose its files (CW-4J, R-109). */
export async function refuseWhileActive(disk: Pick<Disk, "readText">, projectDir: string): Promise<void> {
  const holder = (await findActiveLoop(disk, projectDir)) ?? (await findDrivenRun(projectDir));
  if (holder === null) return;
  throw new RalphError("locked", `A run is active in ${projectDir} (${holder}).`, "Wait for it, or: ralph cancel");
}

/** Today in local time, as `2026-11-15`. */
export function today(now = new Date()): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

async function findDrivenRun(directory: string): Promise<string | null> {
  const machine = await wireStore();
  try {
    const [run] = await drivenOf(machine, await machine.store.list({ directory, limit: 100 }));
    return run === undefined ? null : `run ${run.id}`;
  } finally {
    await machine.store.close();
  }
}
