import { sealedGateId } from "../../core/contract/sealed.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { GateAnswer } from "../../core/run/observation.ts";
import { splitFlags } from "../../core/text/split-flags.ts";
import { stepWords } from "../../core/verification/sealed/step-progress.ts";
import type { VerifiedCheck } from "../../core/verification/verified/verification.ts";
import {
  type AnsweredGates,
  type GateMemory,
  isInDispute,
} from "../../core/verification/verified/judge-verification.ts";
import { chooseAdapter } from "../../shell/agents/registry.ts";
import type { ContractedRun } from "../../shell/gates/freeze-contract.ts";
import type { GateContext } from "../../shell/gates/gate-kind.ts";
import { openGates } from "../../shell/gates/open-gates.ts";
import { prepareGates } from "../../shell/gates/prepare-gates.ts";
import { verifiedCheck } from "../../shell/receipts/verified-check.ts";
import type { Machine } from "../../shell/machine.ts";

/** Who is told what is done, a line each. */
export type Told = { tell: (line: string) => void; signal: AbortSignal };

/** One verification: the contract, its seal and the tree it is asked about. */
export type AskedGates = Told & {
  runId: string;
  frozen: ContractedRun;
  seal: NonNullable<GateContext["context"]["seal"]>;
  candidate: string;
};

/** Asks every gate of a contract once about one tree, in their order: what the iteration of a run with a claim does. */
export async function askGates(machine: Machine, order: AskedGates): Promise<AnsweredGates> {
  const { frozen, candidate, signal } = order;
  const gates = frozen.contract.gates.filter(({ when }) => when !== "before-first-turn");
  const context = gateContext(machine, order);
  await prepareGates(machine.gateKinds, frozen.contract, { ...machine, ...context, looked: new Set() });
  const ask = openGates(machine.gateKinds, frozen.contract, { context, tools: machine, own: {} });
  const checks: VerifiedCheck[] = [];
  const answers: GateMemory[] = [];
  for (const [index, gate] of gates.entries()) {
    const isGreenSoFar = checks.every(({ isPassed }) => isPassed);
    const asked = { type: "run-gate" as const, id: index + 1, gate, iteration: 1, candidate, hasClaim: true };
    const slot = gate.id === sealedGateId ? { hash: order.seal.hash } : null;
    const answer = await ask({ ...asked, isGreenSoFar, slot, wallMs: gate.limits.wallMs }, signal);
    signal.throwIfAborted();
    refuseUnasked(answer);
    answers.push(answer);
    checks.push(...answer.verdicts.map((verdict) => verifiedCheck(machine.folder, gate.id, verdict)));
  }
  return { asked: gates.map(({ id }) => id), checks, isDisputed: isInDispute(answers) };
}

/** A gate that would stop a run could not be asked. */
function refuseUnasked({ stop }: GateAnswer): void {
  if (stop !== null) throw new RalphError("contract", stop.reason);
}

function gateContext(machine: Machine, { runId, frozen, seal, tell }: AskedGates): GateContext["context"] {
  const { command, flags } = frozen.settings.agent;
  return {
    ...machine,
    runId,
    frozen,
    seal,
    adapters: machine.agents.known,
    adapter: chooseAdapter(command ?? "", machine.agents),
    command: command ?? "",
    flags: splitFlags(flags).argv,
    agentEnv: {},
    sink: { entry: () => {}, agentEvent: () => {} },
    keepText: (text) => Promise.resolve({ text }),
    fingerprint: () => Promise.resolve(null),
    note: (_, text) => Promise.resolve(tell(text)),
    onCheck({ gate, verdict, step }) {
      if (step !== undefined) tell(stepWords(step));
      else if (verdict === null) tell(`checking: ${gate.name}`);
    },
    onStderr: () => undefined,
  };
}
