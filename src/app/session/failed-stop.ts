import { readdirSync } from "node:fs";
import { join } from "node:path";
import { criteriaPath } from "../../core/contract/criteria-path.ts";
import {
  answerUnjudged,
  failedHook,
  heardAfter,
  isConcerned,
  wasTold,
} from "../../core/session/stops/unjudged-stop.ts";
import { statIfThere } from "../../shell/lib/stat-if-there.ts";
import { type AlertFile, openAlertFile } from "../../shell/sessions/alert-file.ts";
import { frozenChecksPath } from "../../shell/sessions/frozen-checks.ts";
import { isFolderOf, sessionFileName } from "../../shell/sessions/session-file-name.ts";
import { type HookTools, standsBack } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";

/**
 * The answer to a stop that the hook failed to judge by a fault of its own. It loads nothing: what failed may be the part that
 * was to be loaded. Must not throw.
 */
export function answerFailedStop(event: HostEvent, tools: HookTools, fault: string): HookAnswer {
  if (standsBack(tools) || !isConcerned(factsOf(event, tools))) return {};
  const said = openSaid(event, tools);
  const times = said.read() + 1;
  const isKept = times > 1 || said.write(1);
  const heard = heardAfter(wasTold({ times, isKept, isContinued: event.isContinued }), {}) ?? "told";
  return answerUnjudged(failedHook(fault), heard, {});
}

/** A stop was judged: the next fault is told again. Must not throw. */
export function forgetFailedStop(event: HostEvent, tools: HookTools): void {
  openSaid(event, tools).remove();
}

/** Whether a fault was told, in the temp folder: a state folder that cannot be used may be the very fault. */
function openSaid({ sessionId }: HostEvent, { tempFolder }: HookTools): AlertFile {
  return openAlertFile(tempFolder, `ralph-failed-stop-${sessionId}`);
}

/** What cannot be looked at may be there. */
function factsOf(event: HostEvent, tools: HookTools): { hasLoop: boolean; hasChecks: boolean } {
  const { sessionsFolder } = tools;
  const { projectDir, sessionId } = event;
  const isThere = (path: string): boolean => maybe(() => statIfThere(path) !== null);
  const isOfSession = (name: string): boolean => name === sessionFileName(sessionId) || isFolderOf(name, sessionId);
  const isListed = (): boolean => statIfThere(sessionsFolder) !== null && readdirSync(sessionsFolder).some(isOfSession);
  return {
    hasLoop: maybe(isListed),
    hasChecks: [
      join(projectDir, criteriaPath),
      join(projectDir, ".ralph-active"),
      frozenChecksPath(sessionsFolder, sessionId),
    ].some(isThere),
  };
}

function maybe(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return true;
  }
}
