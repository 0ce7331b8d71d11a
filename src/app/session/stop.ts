import { judgeOfStop } from "../../core/session/stops/inside-run.ts";
import { isSessionId } from "../../core/session/loop/loop-state.ts";
import { isCancelAsked } from "../../core/session/loop/parse-loop-command.ts";
import { endGitInHook } from "../../shell/git/git-in-hook.ts";
import { continueLoop } from "./continue-loop.ts";
import { openCriteria } from "./checks/criteria.ts";
import { inOwnProject } from "./checks/frozen-criteria.ts";
import { findBrokenLoop, judgeBrokenLoop } from "./judge-broken-session.ts";
import { answerDueMs, type HookTools, standsBack } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";
import { judgeListedStop, readListedRun } from "./judge-listed-stop.ts";
import { judgeNativeStop } from "./judge-native-stop.ts";
import { judgeUnwritten } from "./judge-unwritten-loop.ts";
import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import { lookForOthers, openStore } from "./session-loop.ts";
import { cancelLoop } from "./user-prompt-submit.ts";

/** Whether the agent may stop: by the task list of a run, by the loop of this session, by the project's criteria. */
export async function stop(told: HostEvent, tools: HookTools): Promise<HookAnswer> {
  endGitInHook(answerDueMs(tools));
  const event = inOwnProject(told, tools);
  if (standsBack(tools)) return {};
  const listed = readListedRun(event, tools);
  const hasSession = isSessionId(event.sessionId);
  switch (judgeOfStop({ isListed: listed !== null, isForRun: tools.options.isForRun, hasSession })) {
    case "list":
      return listed === null ? {} : judgeListedStop(listed, event, tools);
    case "session":
      return judgeBySession(event, tools);
    case "nobody":
      if (!hasSession) tools.log({ level: "warning", text: "[hook] a stop without a session is nobody's", fields: {} });
      return {};
  }
}

async function judgeBySession(event: HostEvent, tools: HookTools): Promise<HookAnswer> {
  const faults: string[] = [];
  const store = openStore(event, tools, ({ error }) => void faults.push(error));
  const record = store.read(event.sessionId);
  if (record !== null && record.loop.active) {
    const from = openStopCounts(tools, event.sessionId).readOffset();
    const queued = event.transcript.readQueued(Date.parse(record.loop.startedAt), from);
    if (isCancelAsked(queued)) {
      const { notice } = cancelLoop(event, tools);
      return notice === undefined ? {} : { notice };
    }
    const continued = await continueLoop(record, store, { event, tools });
    if (continued !== "unjudged") return continued;
  } else lookForOthers(store, event, tools);
  const broken = record === null ? findBrokenLoop(event, tools) : null;
  const judged = await judgeWithoutLoop(event, tools);
  if (broken !== null) return judgeBrokenLoop(broken, judged);
  const [fault] = faults;
  return fault === undefined ? judged : judgeUnwritten(fault, { event, tools, judged });
}

async function judgeWithoutLoop(event: HostEvent, tools: HookTools): Promise<HookAnswer> {
  const criteria = await openCriteria(event, tools, { isLoop: false });
  return criteria === null ? {} : judgeNativeStop(criteria, event, tools);
}
