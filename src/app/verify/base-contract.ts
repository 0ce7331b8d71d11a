import { hasChecks } from "../../core/contract/contract-lines.ts";
import { criteriaPath } from "../../core/contract/criteria-path.ts";
import { sealedGateId } from "../../core/contract/sealed.ts";
import { RalphError } from "../../core/ralph-error.ts";
import { runPolicy } from "../../core/settings/run/run-policy.ts";
import { inspectSettings, settingsError } from "../../core/settings/settings-problems.ts";
import type { ContractedRun } from "../../shell/gates/freeze-contract.ts";
import { projectSettingsFiles, readEverySettingsFile } from "../../shell/settings/settings-files.ts";
import type { Machine } from "../../shell/machine.ts";
import { freezeRun } from "../prepare/freeze-run.ts";
import { contractOf } from "../prepare/plan-start.ts";

/** Where the settings of a base are read: a checkout of it. `name` is for messages. */
export type BaseSource = { projectDir: string; name: string };

/**
 * What done means by the settings and criteria of a base, over the settings of this user. Neither the candidate, nor
 * `settings.local.json`, nor a variable of the environment has a say: each could be changed by whoever made the candidate. Rejects with a
 * `RalphError` where there is no check.
 */
export async function baseContract(machine: Machine, { projectDir, name }: BaseSource): Promise<ContractedRun> {
  const [shared, local] = projectSettingsFiles;
  const read = await readEverySettingsFile({ disk: machine.disk, env: machine.env, projectDir });
  const unreadable = read.unreadable.filter(({ source }) => source !== local);
  if (unreadable.length > 0) throw settingsError(unreadable.map((file) => ({ ...file, key: "" })));
  const files = read.layers.filter(({ source }) => source !== local);
  const { settings, problems } = inspectSettings([...files, sealedLayer]);
  if (settings === null) throw settingsError(problems);
  const settingsFiles = Object.fromEntries(files.map(({ source, value }) => [source, value]));
  const prompt = { kind: "text" as const, text: "" };
  const given = { projectDir, prompt, settings, settingsFiles, policy: runPolicy(settings) };
  const frozen = await contractOf(machine, await freezeRun(machine, given));
  if (!hasChecks(frozen.contract.gates))
    throw new RalphError(
      "contract",
      `There is nothing to verify with: neither ${shared} nor ${criteriaPath} of ${name} has a check.`,
      `Add one with ralph init, commit ${shared}, and verify what comes after that commit.`,
    );
  if (!frozen.contract.gates.some(({ id }) => id === sealedGateId))
    throw new RalphError(
      "contract",
      `No check of ${name} runs a command, so that nothing can be sealed.`,
      `Add a guardrail to ${shared}, for example { "command": "npm test" }, and commit it.`,
    );
  return frozen;
}

/** Whatever the settings say of loops: a verification is sealed. */
const sealedLayer = { source: "ralph verify", value: { seal: { checks: "claims" } } };
