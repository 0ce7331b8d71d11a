import { assert } from "../../../core/assert.ts";
import type { Contract } from "../../../core/contract/contract.ts";
import { gatesAbout } from "../../../core/contract/held-out.ts";
import type { FrozenRun } from "../../../core/settings/run/frozen-run.ts";
import { firstStep } from "../../../core/work/next-step.ts";
import { roleRun } from "../../../core/work/role-run.ts";
import type { WorkEffect } from "../../../core/work/work-effect.ts";
import type { WorkObservation } from "../../../core/work/work-observation.ts";
import { cutAnswer } from "../../../core/run/gate-answer.ts";
import { keptText } from "./kept-text.ts";
import { openGates } from "../../gates/open-gates.ts";
import type { AskGate, RunContext } from "../../run-context.ts";
import type { Machine } from "../../machine.ts";
import type { Artefact, RunRecord } from "../../ports.ts";
import { processesOf } from "../../processes/redacting-processes.ts";
import type { RunSeal } from "../../seal/run-seal.ts";
import { contextOf } from "../start-run.ts";
import type { WorkSeal } from "./work-seal.ts";

type VerifyTip = Extract<WorkEffect, { type: "verify-tip" }>;
type Finished = Omit<Extract<WorkObservation, { type: "gate-finished" }>, "at" | "upMs">;

/** Asks a gate of a work run's contract in the project directory. */
export type AskTip = (effect: VerifyTip, signal: AbortSignal) => Promise<Finished>;

/** What a red check printed: as much of its end as its reason can quote. */
const saidCharsMax = 4000;

/** What a work run asks of its tips, and by which seal; null: its checks are not sealed. */
export type TipContract = { contract: Contract; note: RunContext["note"]; seal: WorkSeal | null };

/** Opens the contract of a work run. */
export function openTipGates(machine: Machine, run: RunRecord, { contract, note, seal }: TipContract): AskTip {
  const gatesFor = createTipGates(machine, run, { contract, note, seal });
  return async (effect, signal) => {
    const { id, gate, iteration, wallMs, runId, sealed } = effect;
    await lendTurnText(machine, { from: runId, to: run.id, iteration });
    const { ask, candidate } = await gatesFor(effect);
    const order = { type: "run-gate" as const, id, gate, iteration, wallMs, slot: null, candidate };
    const isGreenSoFar = sealed?.isGreenSoFar ?? true;
    const isCut = signal.aborted;
    const answer = isCut ? cutAnswer() : await ask({ ...order, hasClaim: true, isGreenSoFar }, signal);
    const red = answer.verdicts.find(({ isPassed }) => !isPassed);
    const said = red === undefined ? null : (await keptText(machine, red.output)).slice(-saidCharsMax);
    return { type: "gate-finished", effectId: id, said, ...answer };
  };
}

type TipGates = { ask: AskGate; candidate: string | null };

/** All gates of one tip share what its checks have shown in the copy; the next tip has another base. */
function createTipGates(
  machine: Machine,
  run: RunRecord,
  { contract, note, seal }: TipContract,
): (effect: VerifyTip) => Promise<TipGates> {
  // Without a seal all tips share their gates, and a kind that nobody performs fails before the first turn.
  const plain = (): TipGates => ({ ask: gatesOf(machine, run, { contract, note, seal: null }), candidate: null });
  let last: { seal: RunSeal | null; gates: TipGates } | null =
    run.frozen.work?.seal === undefined ? { seal: null, gates: plain() } : null;
  return async ({ sealed, taskId }) => {
    const tip = seal === null || sealed === undefined ? null : await seal.openTip(sealed, { taskId });
    if (last !== null && last.seal === (tip?.seal ?? null)) return last.gates;
    const gates = sealed === undefined ? contract.gates : gatesAbout(contract.gates, new Set(sealed.tasks));
    const ask = gatesOf(machine, run, { contract: { ...contract, gates }, note, seal: tip?.seal ?? null });
    last = { seal: tip?.seal ?? null, gates: { ask, candidate: tip?.candidate ?? null } };
    return last.gates;
  };
}

/** The gates as in a run, but for the work run itself. */
function gatesOf(
  machine: Machine,
  run: RunRecord,
  { contract, note, seal }: { contract: Contract; note: RunContext["note"]; seal: RunSeal | null },
): AskGate {
  const frozen = { ...withoutRepeats(withAgent(run.frozen)), contract };
  const silent = { sink: { entry: () => {}, agentEvent: () => {} }, onCheck: () => {}, onStderr: () => undefined };
  const listening = { ...silent, onRequest: () => () => {}, onTaken: () => {} };
  const context = {
    ...contextOf(machine, { ...run, frozen }, listening),
    processes: processesOf(machine, frozen.settings),
    note,
    ...(seal === null ? {} : { seal }),
  };
  return openGates(machine.gateKinds, contract, { context, tools: machine, own: {} });
}

/** What turned green in a task was repeated on the claims of its roles. */
function withoutRepeats(frozen: FrozenRun): FrozenRun {
  const { settings } = frozen;
  return { ...frozen, settings: { ...settings, seal: { ...settings.seal, repeat: 1 } } };
}

/** A judge runs as the agent of the settings; where only roles have one, as that of the first role. */
function withAgent(frozen: FrozenRun): FrozenRun {
  const [task] = frozen.work?.tasks ?? [];
  if (frozen.settings.agent.command !== null || frozen.work === undefined || task === undefined) return frozen;
  const progress = firstStep(null, frozen.work);
  assert(progress !== null, "a work run has at least one role");
  const rest = { budgetUsd: null, budgetTokens: null, budgetMs: null };
  const { settings } = roleRun({ work: frozen, task, progress, place: { projectDir: "", startCommit: null }, rest });
  return { ...frozen, settings: { ...frozen.settings, agent: settings.agent } };
}

/** What a judge reads of a turn is what the last role of the task said. */
async function lendTurnText(
  { artefacts, store }: Machine,
  { from, to, iteration }: { from: string | null; to: string; iteration: number },
): Promise<void> {
  const [last] = from === null ? [] : await store.find(from);
  if (last === undefined) return;
  const textOfTurn = (runId: string, turn: number): Artefact => ({ runId, kind: "turn-text", name: String(turn) });
  const text = await artefacts.read(textOfTurn(last.id, last.state.iteration)).catch(() => null);
  if (text !== null) await artefacts.put(textOfTurn(to, iteration), text).catch(() => {});
}
