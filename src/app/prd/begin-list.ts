import { createProjectDisk } from "../../shell/lib/project-disk.ts";
import type { Machine } from "../../shell/machine.ts";
import { initList, type InitOptions, type InitResult } from "../../shell/prd/folder/init-list.ts";
import { refuseWhileActive } from "./refuse-while-active.ts";

/** Writes the files of a new list; nothing through a link of the project. Throws while a run is active. */
export async function beginList({ disk }: Pick<Machine, "disk">, options: InitOptions): Promise<InitResult> {
  const projectDisk = createProjectDisk(disk, options.projectDir);
  await refuseWhileActive(projectDisk, options.projectDir);
  return initList(projectDisk, options);
}
