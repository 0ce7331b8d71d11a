import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openAlertFile } from "../../shell/sessions/alert-file.ts";
import { endedFolderName, unusableFolderName } from "../../shell/sessions/session-file-name.ts";
import { statIfThere } from "../../shell/lib/stat-if-there.ts";
import { criteriaPath } from "../../core/contract/criteria-path.ts";
import { type HookTools, runIdOf } from "./event/hook-tools.ts";
import type { HookName, HostEvent } from "./event/host-event.ts";

/**
 * Whether a session has nothing to do with ralph but that the plugin is installed: no run, no loop here or elsewhere, no
 * task list, no criteria, no command of ours. Then the engine need not be loaded; its alerts are armed again all the same.
 */
export function isUntouched(hook: HookName, event: HostEvent, tools: HookTools): boolean {
  if (runIdOf(tools) !== null || tools.options.isForRun || event.sessionId === "") return false;
  if (hook === "user-prompt-submit" && (event.prompt ?? "").trimStart().startsWith("/")) return false;
  if (isThere(join(event.projectDir, ".ralph-active")) || isThere(join(event.projectDir, criteriaPath))) return false;
  if (!isEmpty(tools.sessionsFolder)) return false;
  if (hook === "session-start" || hook === "session-end")
    openAlertFile(tools.tempFolder, tools.host.alertFileName(event.sessionId)).remove();
  return true;
}

function isThere(path: string): boolean {
  return statIfThere(path) !== null;
}

/** Ended loops that no command has imported yet are nobody's any more. */
function isEmpty(folder: string): boolean {
  return (
    !isThere(folder) || readdirSync(folder).every((name) => name === endedFolderName || name === unusableFolderName)
  );
}
