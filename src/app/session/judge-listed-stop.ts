import { realpathSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import {
  checkListedTurn,
  checkLoosePaths,
  type FoundList,
  isPartOf,
  type ListedFinding,
} from "../../core/prd/listed-stop.ts";
import type { ActiveReading } from "../../core/prd/read-active-file.ts";
import { judgeListed } from "../../core/session/stops/stop-counts.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { readTextFile, textBytesMax } from "../../shell/lib/read-text-file.ts";
import { findRalphFolder, type RalphFolder } from "../../shell/prd/folder/ralph-folder.ts";
import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import { findActiveFile } from "./event/active-file.ts";
import { findUncommitted } from "./find-uncommitted.ts";
import { type HookTools, runIdOf } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";

/** The run on a task list that this stop belongs to; null when it is none, or another one's (S4-39, CW-4R). */
export function readListedRun(event: HostEvent, tools: HookTools): ActiveReading | null {
  const active = findActiveFile(event.projectDir);
  if (active === null || isPartOf(active, runIdOf(tools))) return active;
  const fields = { sessionId: event.sessionId, run: active.run };
  tools.log({ level: "info", text: "[hook] .ralph-active belongs to a run that this session is not part of", fields });
  return null;
}

/** Checks 1, 2, 2.5 and 3 in order; what fails blocks with its reason, checks 2 and 2.5 together (S4-40). */
export function judgeListedStop(active: ActiveReading, event: HostEvent, tools: HookTools): HookAnswer {
  const { reason, warnings } = findReason(active, event);
  for (const text of warnings) tools.log({ level: "warning", text: `[hook] ${text}`, fields: {} });
  const file = openStopCounts(tools, event.sessionId);
  const { answer, counts } = judgeListed(file.read(), reason, event.isContinued);
  if (counts === null) file.clear();
  else file.write(counts);
  if (reason === null) return warnings.length === 0 ? {} : { notice: warnings.join(" ") };
  if (answer.notice !== undefined) {
    const fields = { sessionId: event.sessionId, reason: reason.text };
    tools.log({ level: "warning", text: "[hook] the stop is allowed; the run deals with what is left", fields });
  }
  return answer;
}

/** Git is asked only when the list itself is in order. */
function findReason(active: ActiveReading, event: HostEvent): ListedFinding {
  const folder = findListFolder(active, event);
  const turn = checkListedTurn(readList(join(folder.path, "tasks.json")), active, `${folder.name}/tasks.json`);
  if (turn.reason !== null) return turn;
  const { dirtyAtStart: before } = active;
  const loose = checkLoosePaths(findUncommitted(event.projectDir, { before, folder: folder.name }), folder.name);
  return { reason: loose.reason, warnings: [...turn.warnings, ...loose.warnings] };
}

/** The folder that the run named; one that is not there, or leads out of the project by a link, is not the run's. */
function findListFolder({ ralphDir }: ActiveReading, { projectDir }: HostEvent): RalphFolder {
  try {
    return findRalphFolder(realpathSync(projectDir), ralphDir);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return findRalphFolder(projectDir, null);
  }
}

function readList(path: string): FoundList {
  try {
    const text = readTextFile(path, { bytesMax: textBytesMax, links: "refuse" });
    return text === null ? null : { text };
  } catch (error) {
    return { problem: thrownText(error) };
  }
}
