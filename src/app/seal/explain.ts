import { sealedGateId } from "../../core/contract/sealed.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { sealedCommandsOf } from "../../shell/drivers/seal-run.ts";
import { baseFiles } from "../../shell/git/trees/base-files.ts";
import { explainSeal, type SealExplanation } from "../../shell/seal/explain-seal.ts";
import { loadRunSettings, type Program } from "../prepare/load-run-settings.ts";
import { contractOf } from "../prepare/plan-start.ts";
import { prepareRun } from "../prepare/prepare-run.ts";

/** What sealing would mean for a run in a project. `problem`: why its checks would not run sealed; `explanation` is null outside git. */
export type ExplainedProject = {
  projectDir: string;
  isSealed: boolean;
  problem: string | null;
  seal: Settings["seal"];
  explanation: SealExplanation | null;
};

/** Explains the seal that `ralph run` would take here. Starts no run and writes nothing. */
export async function explainProject(
  program: Program,
  { projectDir, say }: { projectDir: string; say: (line: string) => void },
): Promise<ExplainedProject> {
  const loaded = await loadRunSettings(program, { projectDir, given: null, say });
  const prompt = { kind: "text" as const, text: "" };
  const frozen = await contractOf(program, await prepareRun(program, { projectDir, prompt, loaded }));
  const { seal, scm } = frozen.settings;
  const isSealed = frozen.contract.gates.some(({ id }) => id === sealedGateId);
  const base = await baseFiles(program, projectDir, scm?.stage ?? "run");
  if (base === null)
    return { projectDir, isSealed, problem: "It is not in a git repository.", seal, explanation: null };
  const commands = sealedCommandsOf(frozen);
  const context = { processes: program.processes, env: program.env, directory: projectDir };
  const explanation = await explainSeal(context, { base, commands, rules: seal });
  const facts = { hasCommit: frozen.startCommit !== null, commandCount: commands.length, mode: seal.checks };
  return { projectDir, isSealed, problem: isSealed ? null : problemOf(facts), seal, explanation };
}

function problemOf(facts: { hasCommit: boolean; commandCount: number; mode: string }): string {
  if (facts.mode === "off") return 'seal.checks is off: set "seal": { "checks": "claims" }.';
  if (!facts.hasCommit) return "The repository has no commit yet.";
  if (facts.commandCount === 0) return 'No check is a command: add one as "guardrails" in .ralph/settings.json.';
  return "The contract of a run here has no sealed check.";
}
