import { join } from "node:path";
import { policyGates } from "../../core/contract/contract.ts";
import { type ContractView, contractLines } from "../../core/contract/contract-lines.ts";
import type { SessionRecord } from "../../core/session/session-record.ts";
import { otherChecks } from "../../core/session/stops/session-checks.ts";
import { thrownText } from "../../core/text/thrown-text.ts";
import { parseCriteria } from "../../shell/gates/project-criteria.ts";
import { loadFrozenSettings } from "../../shell/settings/load-frozen-settings.ts";
import { frozenChecksHash, frozenChecksPath, readFrozenChecks } from "../../shell/sessions/frozen-checks.ts";
import { gateKinds, wireProgram } from "../../shell/wire.ts";

/** What done means for a loop inside a host, line by line: from what was frozen for it, else from what its host says. */
export async function sessionContract(stateFolder: string, record: SessionRecord): Promise<string[]> {
  const { policy } = record.run;
  try {
    return contractLines({ ...policy, gates: await frozenGates(stateFolder, record) });
  } catch (error) {
    const why = thrownText(error);
    return [...contractLines(policy), `  what was frozen for it does not count: ${why}`];
  }
}

async function frozenGates(
  stateFolder: string,
  { loop, directory, run }: SessionRecord,
): Promise<ContractView["gates"]> {
  const frozen = readFrozenChecks(frozenChecksPath(join(stateFolder, "sessions"), loop.sessionId));
  if (frozen === null || run.policy.gates.length === 0) return run.policy.gates;
  const changed = otherChecks(run.policy.contract.hash, frozenChecksHash(frozen, directory));
  if (changed !== null) throw new Error(changed);
  const { disk, env } = wireProgram();
  const loaded = await loadFrozenSettings({ disk, env, projectDir: directory }, frozen.settings);
  const { criteria = [], problem } = frozen.text === null ? {} : parseCriteria(frozen.text);
  if (problem !== undefined) throw new Error(problem);
  const sources = {
    surface: "session" as const,
    settings: loaded.settings,
    settingsFiles: loaded.files,
    verifyCommandsFrom: null,
    role: null,
    projectCriteria: criteria,
    hasBaseline: false,
  };
  // Inside a host nothing runs before the agent claims to be done.
  return policyGates(gateKinds.flatMap((kind) => kind.gatesOf(sources))).map((gate) => ({ ...gate, when: "on-claim" }));
}
