import type { Verdict } from "../../../core/verification/verdict.ts";
import type { NativeVerdict } from "../../../core/session/native-stops.ts";
import { passNativeStop } from "../../../shell/drivers/session/native-pass.ts";
import { realClock } from "../../../shell/lib/real-clock.ts";
import type { SessionChecks } from "../../../shell/sessions/session-host.ts";
import { countBlock, isStopGivenUp, openStopCounts } from "../../../shell/sessions/stop-counts.ts";
import type { SessionCriteria } from "../criteria/criteria.ts";
import { criteriaPath } from "../../../core/contract/criteria-path.ts";
import { keepVerifiedState, readVerifiedState } from "../criteria/frozen-criteria.ts";
import type { HookTools } from "../event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../event/host-event.ts";
import { openStore } from "./session-loop.ts";
import { stateOfTree } from "../event/state-of-tree.ts";

/** A session without a loop of ours, perhaps in a loop of its host's: it ends when the project's criteria are verified. */
export async function judgeNativeStop(
  criteria: SessionCriteria,
  event: HostEvent,
  tools: HookTools,
): Promise<HookAnswer> {
  if (criteria.problem !== null) return judgeBroken(criteria.problem, event, tools);
  // It wakes the agent, and the stop after that is judged.
  if (event.pendingWork.length > 0) return {};
  const state = stateOfTree(event.projectDir);
  if (isVerifiedState(state, event, tools)) return {};
  const remark = criteria.remark === null ? [] : [criteria.remark];
  const { kind, reasons, red } = await judge(criteria, event, tools);
  if (kind === "given-up")
    return { notice: ["NOT verified, after five equal reasons the stop is allowed:", reasons].join("\n") };
  if (kind === "refused") return { block: [refusalHeading, ...red.map(shown), ...remark].join("\n\n") };
  // What somebody changed while the checks ran was not checked.
  keepVerifiedState(event, tools, stateOfTree(event.projectDir) === state ? state : null);
  return { notice: [`Verified by ${criteriaPath}.`, ...remark].join(" ") };
}

/** By the session's run; where that cannot be stored, by the counts alone. */
async function judge(criteria: SessionCriteria, event: HostEvent, tools: HookTools): Promise<NativeVerdict> {
  const { sessionId, projectDir: directory } = event;
  const words = event.lastMessage ?? "";
  const found: { verdicts: Verdict[] | null } = { verdicts: null };
  const run: SessionChecks["run"] = async ({ wallMs, signal }) => {
    found.verdicts ??= await criteria.verify(words, { wallMs, signal });
    return found.verdicts;
  };
  const judged = await passNativeStop({
    store: openStore(event, tools),
    clock: realClock,
    checks: { count: criteria.count, run },
    start: { sessionId, directory, host: tools.host.name, criterionCount: criteria.count },
    signal: criteria.signal ?? new AbortController().signal,
  });
  if (judged !== null) return judged;
  const verdicts = found.verdicts ?? (await criteria.verify(words));
  return judgeUnstored(verdicts, event, tools);
}

/** Inside a sandbox the counts lie in the temp folder: they only decide when we give way. */
function judgeUnstored(verdicts: readonly Verdict[], event: HostEvent, tools: HookTools): NativeVerdict {
  const red = verdicts.filter(({ isPassed }) => !isPassed);
  const reasons = red.map(({ name, reason }) => `- ${name}: ${reason}`).join("\n");
  const counts = openStopCounts(tools, event.sessionId);
  const now = countBlock(counts.read(), { reason: reasons, isRow: event.isContinued });
  const isOver = red.length === 0 || isStopGivenUp(now);
  if (isOver) counts.clear();
  else counts.write(now);
  const allowed = red.length === 0 ? "verified" : "given-up";
  return { kind: isOver ? allowed : "refused", reasons, red };
}

/** A session that changed nothing, since it began or since its work was verified, has nothing to verify. */
function isVerifiedState(state: string | null, event: HostEvent, tools: HookTools): boolean {
  return state !== null && state === readVerifiedState(event, tools);
}

/** Criteria that cannot be used hold a stop back once, so that somebody hears of it; the next one passes and is named. */
function judgeBroken(problem: string, event: HostEvent, tools: HookTools): HookAnswer {
  const counts = openStopCounts(tools, event.sessionId);
  const now = countBlock(counts.read(), { reason: problem, isRow: event.isContinued });
  if (isStopGivenUp(now, 1)) return { notice: `${problem}. This stop is NOT verified.` };
  counts.write(now);
  return { block: `The work cannot be verified: ${problem}. Correct ${criteriaPath}, or tell the user.` };
}

/** How every refusal begins: by it a host without stops of its own knows what it sent. */
export const refusalHeading = `The work is not verified (${criteriaPath}):`;

function shown({ name, reason, output }: Verdict): string {
  const text = "text" in output ? output.text.trim() : "";
  return text === "" ? `- ${name}: ${reason}` : `- ${name}: ${reason}\n${text}`;
}
