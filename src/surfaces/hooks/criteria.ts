import type { Verdict } from "../../core/checks/verdict.ts";
import type { SessionChecks } from "../../shell/sessions/session-host.ts";
import { criteriaPath } from "../../core/contract/criteria-path.ts";
import { freezeCriteria, readProjectCriteria, resultsPath } from "./criteria/frozen-criteria.ts";
import type { HookTools } from "./hook-tools.ts";
import type { HostEvent } from "./host-event.ts";

/** What the project asks of a session before it may end. */
export type SessionCriteria = {
  /** What is wrong with the file, for people; null when it can be used. */
  problem: string | null;
  /** Said when somebody edited the file since the session began. */
  remark: string | null;
  count: number;
  checks: SessionChecks;
  /** Verifies all of them on these words of the agent. */
  verify(turnText: string, limits?: { wallMs?: number | null; signal?: AbortSignal | null }): Promise<Verdict[]>;
};

/** The criteria of a session; null when its project has none. What verifies them is loaded only here. */
export async function openCriteria(
  event: HostEvent,
  tools: HookTools,
  turnText = event.lastMessage ?? "",
): Promise<SessionCriteria | null> {
  const frozen = freezeCriteria(event, tools);
  if (frozen === null) return null;
  const { readCriteria, verifyCriteria } = await import("./criteria/verify-criteria.ts");
  const read = readCriteria(frozen.text);
  const isEdited = readProjectCriteria(event.projectDir) !== frozen.text;
  const remark = isEdited ? `${criteriaPath} was changed during this session; those of its begin count.` : null;
  const { criteria = [], problem = null } = read;
  const verify: SessionCriteria["verify"] = (text, { wallMs = null, signal = null } = {}) =>
    verifyCriteria(criteria, {
      projectDir: event.projectDir,
      sessionId: event.sessionId,
      startCommit: frozen.startCommit,
      turnText: text,
      resultsPath: resultsPath(event, tools),
      limitMs: Math.min(wallMs ?? Number.POSITIVE_INFINITY, restMs(tools)),
      signal,
      stateFolder: tools.stateFolder,
      log: tools.log,
    });
  const count = criteria.length;
  const checks: SessionChecks = { count, run: ({ wallMs, signal }) => verify(turnText, { wallMs, signal }) };
  return { problem, remark, count, checks, verify };
}

/** The hook answers this long before its host gives up on it (design §10). */
const marginMs = 5000;

function restMs({ options }: HookTools): number {
  return Math.max(0, options.timeoutMs - marginMs - process.uptime() * 1000);
}
