import type { Verdict } from "../../core/verification/verdict.ts";
import {
  isJudgedLater,
  isMet,
  isVerifiedState,
  judgeUnstored,
  judgeUnusable,
  nativeAnswer,
  verifiedState,
} from "../../core/session/stops/native-answer.ts";
import type { NativeVerdict } from "../../core/session/stops/native-stops.ts";
import type { UnusableChecks } from "../../core/session/stops/unusable-checks.ts";
import { passNativeStop } from "../../shell/drivers/session/native-pass.ts";
import { hookClock } from "../../shell/lib/real-clock.ts";
import type { SessionChecks } from "../../shell/sessions/session-host.ts";
import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import type { SessionCriteria } from "./checks/criteria.ts";
import { keepVerifiedState, readVerifiedState } from "./checks/frozen-criteria.ts";
import type { HookTools } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";
import { openStore } from "./session-loop.ts";
import { stateOfTree } from "./event/state-of-tree.ts";

/** A session without a loop of ours, perhaps in a loop of its host's: it ends when the project's criteria are verified. */
export async function judgeNativeStop(
  criteria: SessionCriteria,
  event: HostEvent,
  tools: HookTools,
): Promise<HookAnswer> {
  if (criteria.unusable !== null) return answerUnusable(criteria.unusable, event, tools);
  if (isJudgedLater(event.pendingWork)) return {};
  const state = stateOfTree(event.projectDir);
  if (isVerifiedState(state, readVerifiedState(event, tools))) return {};
  const verdict = await judge(criteria, event, tools);
  if (isMet(verdict))
    keepVerifiedState(event, tools, verifiedState({ before: state, after: stateOfTree(event.projectDir) }));
  return nativeAnswer(verdict, criteria.remark);
}

/** By the session's run; where that cannot be stored or was overtaken, by the counts alone. */
async function judge(criteria: SessionCriteria, event: HostEvent, tools: HookTools): Promise<NativeVerdict> {
  const { sessionId, projectDir: directory } = event;
  const words = event.lastMessage ?? "";
  const found: { verdicts: Verdict[] | null } = { verdicts: null };
  const run: SessionChecks["run"] = async (request) => {
    found.verdicts ??= await criteria.verify(words, request);
    return found.verdicts;
  };
  const judged = await passNativeStop({
    store: openStore(event, tools),
    clock: hookClock,
    checks: { count: criteria.count, run },
    start: { sessionId, directory, host: tools.host.name, criterionCount: criteria.count, contract: criteria.contract },
    signal: criteria.signal ?? new AbortController().signal,
  });
  if (judged !== null) return judged;
  const file = openStopCounts(tools, sessionId);
  const verdicts = found.verdicts ?? (await criteria.verify(words));
  const { verdict, counts } = judgeUnstored(verdicts, { before: file.read(), isRow: event.isContinued });
  if (counts === null) file.clear();
  else file.write(counts);
  return verdict;
}

function answerUnusable(unusable: UnusableChecks, event: HostEvent, tools: HookTools): HookAnswer {
  const file = openStopCounts(tools, event.sessionId);
  const { answer, counts } = judgeUnusable(unusable, { before: file.read(), isRow: event.isContinued });
  file.write(counts);
  return answer;
}
