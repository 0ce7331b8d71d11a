import type { Verdict } from "../../core/verification/verdict.ts";
import { countBlock, openStopCounts } from "../../shell/sessions/stop-counts.ts";
import type { SessionCriteria } from "./criteria.ts";
import { criteriaPath } from "../../core/contract/criteria-path.ts";
import { keepVerifiedState, readVerifiedState } from "./criteria/frozen-criteria.ts";
import type { HookTools } from "./hook-tools.ts";
import type { HookAnswer, HostEvent } from "./host-event.ts";
import { stateOfTree } from "./state-of-tree.ts";

/** A session without a loop of ours, perhaps in a loop of its host's: it ends when the project's criteria are verified. */
export async function judgeNativeStop(
  criteria: SessionCriteria,
  event: HostEvent,
  tools: HookTools,
): Promise<HookAnswer> {
  if (criteria.problem !== null) return judgeBroken(criteria.problem, event, tools);
  // It wakes the agent, and the stop after that is judged.
  if (event.pendingWork.length > 0) return {};
  const counts = openStopCounts(tools, event.sessionId);
  const state = stateOfTree(event.projectDir);
  if (isVerifiedState(state, event, tools)) {
    counts.clear();
    return {};
  }
  const red = (await criteria.verify(event.lastMessage ?? "")).filter(({ isPassed }) => !isPassed);
  const remark = criteria.remark === null ? [] : [criteria.remark];
  if (red.length === 0) {
    counts.clear();
    // What somebody changed while the checks ran was not checked.
    keepVerifiedState(event, tools, stateOfTree(event.projectDir) === state ? state : null);
    return { notice: [`Verified by ${criteriaPath}.`, ...remark].join(" ") };
  }
  const reasons = red.map(({ name, reason }) => `- ${name}: ${reason}`);
  const before = counts.read();
  const now = countBlock(before, { reason: reasons.join("\n"), isRow: event.isContinued });
  if (now.equalReasons > equalReasonsMax) {
    counts.clear();
    return { notice: ["NOT verified, after five equal reasons the stop is allowed:", ...reasons].join("\n") };
  }
  counts.write(now);
  return { block: [refusalHeading, ...red.map(shown), ...remark].join("\n\n") };
}

/** A session that changed nothing, since it began or since its work was verified, has nothing to verify. */
function isVerifiedState(state: string | null, event: HostEvent, tools: HookTools): boolean {
  return state !== null && state === readVerifiedState(event, tools);
}

/** Criteria that cannot be used hold a stop back once, so that somebody hears of it; the next one passes and is named. */
function judgeBroken(problem: string, event: HostEvent, tools: HookTools): HookAnswer {
  const counts = openStopCounts(tools, event.sessionId);
  const now = countBlock(counts.read(), { reason: problem, isRow: event.isContinued });
  if (now.equalReasons > 1) return { notice: `${problem}. This stop is NOT verified.` };
  counts.write(now);
  return { block: `The work cannot be verified: ${problem}. Correct ${criteriaPath}, or tell the user.` };
}

/** How every refusal begins: by it a host without stops of its own knows what it sent. */
export const refusalHeading = `The work is not verified (${criteriaPath}):`;

/** An agent that cannot repair it would be held for ever (CW-4R). */
const equalReasonsMax = 5;

function shown({ name, reason, output }: Verdict): string {
  const text = "text" in output ? output.text.trim() : "";
  return text === "" ? `- ${name}: ${reason}` : `- ${name}: ${reason}\n${text}`;
}
