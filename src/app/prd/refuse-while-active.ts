import { RalphError } from "../../core/ralph-error.ts";
import { findActiveLoop } from "../../shell/prd/folder/find-active-loop.ts";
import type { Disk } from "../../shell/ports.ts";
import { wireStore } from "../../shell/wire-store.ts";
import { drivenOf } from "../query/find/is-driven.ts";

/** Refuses while a run is active in a project: it would lose its files (CW-4J, R-109). */
export async function refuseWhileActive(disk: Pick<Disk, "readText">, projectDir: string): Promise<void> {
  const holder = (await findActiveLoop(disk, projectDir)) ?? (await findDrivenRun(projectDir));
  if (holder === null) return;
  throw new RalphError("locked", `A run is active in ${projectDir} (${holder}).`, "Wait for it, or: ralph cancel");
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
