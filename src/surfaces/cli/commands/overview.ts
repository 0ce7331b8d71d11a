import { overviewOf } from "../../../app/query/summary/overview.ts";
import { wireStore } from "../../../shell/wire-store.ts";
import { importEnded } from "../input/import-ended.ts";
import { projectDirOption } from "../input/read-input.ts";
import { tellProblem } from "../input/tell.ts";
import { statusWidth } from "../terminal/status-width.ts";
import { renderOverview } from "../views/render-overview.ts";

/** `ralph` alone: where things stand here, and what to type. */
export default async function overview(): Promise<number> {
  const machine = await wireStore();
  await importEnded(machine);
  const found = await overviewOf({ ...machine, onProblem: tellProblem }, projectDirOption({}));
  await machine.store.close();
  const style = { now: machine.clock.now(), width: statusWidth(), hasProjects: false, hasCommands: false };
  process.stdout.write(renderOverview(found, style));
  return 0;
}
