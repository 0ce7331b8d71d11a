import { contextAlert } from "../../core/session/context-alert.ts";
import { openAlertFile } from "../../shell/sessions/alert-file.ts";
import { findActiveFile } from "./event/active-file.ts";
import { type HookTools, standsBack } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";

/** The context monitor: tells the agent, once a threshold, how full its context is (S4-32 to S4-38). */
export function postToolUse(event: HostEvent, tools: HookTools): HookAnswer {
  const { host, env, tempFolder } = tools;
  // A helper has a context of its own, and its agent would not hear the alert.
  if (standsBack(tools) || event.isSubagent || event.sessionId === "") return {};
  // Its words are about a task list; a run of another kind has none.
  if (tools.options.isForRun && findActiveFile(event.projectDir) === null) return {};
  const tokens = event.transcript.readUsage();
  if (tokens === null) return {};
  const file = openAlertFile(tempFolder, host.alertFileName(event.sessionId));
  const alert = contextAlert({ tokens, windowTokens: host.windowTokens(env), fired: file.read() });
  // One that cannot be remembered would be said after every tool.
  if (alert === null || !file.write(alert.threshold)) return {};
  return { context: alert.text };
}
