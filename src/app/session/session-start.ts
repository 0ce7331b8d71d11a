import { keptPrompt } from "../../core/session/loop/first-prompt.ts";
import { isSessionId } from "../../core/session/loop/loop-state.ts";
import { beginChecks } from "../../core/session/stops/session-checks.ts";
import { endGitInHook } from "../../shell/git/git-in-hook.ts";
import { openAlertFile } from "../../shell/sessions/alert-file.ts";
import { freezeCriteria, isFrozen, keepVerifiedState } from "./checks/frozen-criteria.ts";
import { answerDueMs, type HookTools, standsBack } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";
import { foreignLoops, openStore } from "./session-loop.ts";
import { stateOfTree } from "./event/state-of-tree.ts";

/** A session begins: arms its alerts again (S4-37), and names its own loop and those of other sessions here. */
export function sessionStart(event: HostEvent, tools: HookTools): HookAnswer {
  endGitInHook(answerDueMs(tools));
  const { host, tempFolder } = tools;
  if (!isSessionId(event.sessionId)) return {};
  openAlertFile(tempFolder, host.alertFileName(event.sessionId)).remove();
  if (standsBack(tools) || tools.options.isForRun) return {};
  const store = openStore(event, tools);
  const record = store.read(event.sessionId);
  const loop = record !== null && record.loop.active ? record.loop : null;
  const isKnown = isFrozen(event, tools) || store.read(event.sessionId, "stops") !== null;
  const checks = beginChecks({ isFresh: event.begin === "fresh", hasLoop: loop !== null, isKnown });
  const frozen = checks.isFrozen ? freezeCriteria(event, tools, { isLoop: false }) : null;
  if (frozen !== null && checks.isTreeKept) keepVerifiedState(event, tools, stateOfTree(event.projectDir));
  const own =
    loop === null ? [] : [`This session has a Ralph loop at iteration ${loop.iteration} of ${loop.maxIterations}.`];
  const notices = [...own, ...foreignLoops(event, store)];
  const context = loop === null ? {} : { context: keptPrompt(loop) };
  return notices.length === 0 ? context : { ...context, notice: notices.join("\n") };
}
