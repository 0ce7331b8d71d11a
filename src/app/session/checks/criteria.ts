import type { Verdict } from "../../../core/verification/verdict.ts";
import { type SessionContract, unknownContract } from "../../../core/contract/session-checks.ts";
import { criterionName } from "../../../core/tasks/criteria/criterion-name.ts";
import { criteriaPath } from "../../../core/contract/criteria-path.ts";
import {
  countChecks,
  isHeldToChecks,
  otherChecks,
  startUnchecked,
  type UncheckedStart,
} from "../../../core/session/stops/session-checks.ts";
import {
  unusableCriteria,
  type UnusableChecks,
  unusableRecord,
  unusableSettings,
  unusableText,
} from "../../../core/session/stops/unusable-checks.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import type { SessionCheckRequest, SessionChecks } from "../../../shell/sessions/session-host.ts";
import { type FrozenChecks, frozenChecksHash } from "../../../shell/sessions/frozen-checks.ts";
import { freezeCriteria, readProjectCriteria } from "./frozen-criteria.ts";
import { answerDueMs, type HookTools } from "../event/hook-tools.ts";
import type { HostEvent } from "../event/host-event.ts";

/** What the project asks of a session before it may end: its criteria, and its guardrails. */
export type SessionCriteria = {
  /** Null when they can be used. */
  unusable: UnusableChecks | null;
  /** Said when somebody edited the file since the session began. */
  remark: string | null;
  /** Said when a loop begins whose checks are not sealed although the settings ask for it. */
  unsealed: string | null;
  count: number;
  /** What they are, for the run that is held to them. */
  contract: SessionContract;
  /** Ends the checks of a host that gives up on them; absent: nobody does. */
  signal?: AbortSignal;
  checks: SessionChecks;
  /** Runs all of them on these words of the agent. Rejects when they are not those that `contractHash` names. */
  verify(turnText: string, request?: Partial<Omit<SessionCheckRequest, "sessionId" | "iteration">>): Promise<Verdict[]>;
};

/**
 * For what the checks are opened. A loop of ours has claims, and the guardrails of the settings always count; a stop
 * without one is judged only in projects with criteria of their own. `isLiving`: the loop began before, with its checks
 * frozen.
 */
export type CriteriaFor = { isLoop: boolean; isLiving?: boolean; turnText?: string };

/** The checks of a session; null when it has none. What runs them is loaded only here. */
export async function openCriteria(
  event: HostEvent,
  tools: HookTools,
  { isLoop, isLiving = false, turnText = event.lastMessage ?? "" }: CriteriaFor,
): Promise<SessionCriteria | null> {
  try {
    const frozen = freezeCriteria(event, tools, { isLoop, isLiving });
    if (frozen === null || !isHeldToChecks({ isLoop, hasCriteria: frozen.text !== null })) return null;
    return await openFrozen(frozen, { event, tools, isLoop, turnText });
  } catch (error) {
    // A stop must not pass because the record of its checks is gone.
    return brokenCriteria(unusableRecord(thrownText(error), isLoop));
  }
}

type Opening = { event: HostEvent; tools: HookTools; isLoop: boolean; turnText: string };

async function openFrozen(
  frozen: FrozenChecks,
  { event, tools, isLoop, turnText }: Opening,
): Promise<SessionCriteria | null> {
  const { readCriteria, verifyCriteria, settingsOf, unsealedLoop } = await import("./verify-criteria.ts");
  const { criteria = [], problem = null } = frozen.text === null ? {} : readCriteria(frozen.text);
  const settings = await settingsOf(event.projectDir, frozen.settings).catch(thrownText);
  if (typeof settings === "string") return brokenCriteria(unusableSettings(settings));
  const verifications = criteria.map(({ criterion }) => criterion.verification);
  const guardrailCount = settings.guardrails.length;
  const count = countChecks({ isLoop, criteria: verifications, guardrailCount, problem });
  if (count === null) return null;
  const isEdited = frozen.text !== null && readProjectCriteria(event.projectDir) !== frozen.text;
  const remark = isEdited ? `${criteriaPath} was changed during this session; those of its begin count.` : null;
  const names = [
    ...settings.guardrails.map(({ command }) => command),
    ...criteria.map(({ criterion }) => criterionName(criterion)),
  ];
  const contract = { names, hash: frozenChecksHash(frozen, event.projectDir) };
  const verify: SessionCriteria["verify"] = async (text, { wallMs = null, signal = null, contractHash = "" } = {}) => {
    const changed = otherChecks(contractHash, contract.hash);
    if (changed !== null) throw new Error(changed);
    return verifyCriteria(criteria, {
      projectDir: event.projectDir,
      sessionId: event.sessionId,
      startCommit: frozen.startCommit,
      settings,
      turnText: text,
      limitMs: Math.min(wallMs ?? Number.POSITIVE_INFINITY, restMs(tools)),
      signals: [signal, tools.ending?.signal()].filter((each) => each instanceof AbortSignal),
      stateFolder: tools.stateFolder,
      log: tools.log,
    });
  };
  const checks: SessionChecks = { count, run: (request) => verify(turnText, request) };
  const unusable = problem === null ? null : unusableCriteria(problem);
  return { unusable, remark, unsealed: unsealedLoop(settings, criteria), count, contract, checks, verify };
}

/** How a loop without checks begins, by the settings that were frozen for the session. */
export async function beginUnchecked(event: HostEvent, tools: HookTools): Promise<UncheckedStart> {
  const frozen = freezeCriteria(event, tools, { isLoop: true });
  const { settingsOf } = await import("./verify-criteria.ts");
  const { completion } = await settingsOf(event.projectDir, frozen?.settings ?? null);
  return startUnchecked(completion);
}

function brokenCriteria(unusable: UnusableChecks): SessionCriteria {
  const refuse = (): Promise<Verdict[]> => Promise.reject(new Error(unusableText(unusable)));
  const contract = unknownContract;
  const said = { unusable, remark: null, unsealed: null };
  return { ...said, count: 1, contract, checks: { count: 1, run: refuse }, verify: refuse };
}

function restMs(tools: HookTools): number {
  return Math.max(0, answerDueMs(tools) - process.uptime() * 1000);
}
