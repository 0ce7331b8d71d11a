import { assert } from "../../../core/assert.ts";
import type { TextRef } from "../../../core/verification/verdict.ts";
import type { Contract } from "../../../core/contract/contract.ts";
import type { FrozenRun } from "../../../core/settings/run/frozen-run.ts";
import { firstStep } from "../../../core/work/next-step.ts";
import { roleRun } from "../../../core/work/role-run.ts";
import type { WorkEffect } from "../../../core/work/work-effect.ts";
import type { WorkObservation } from "../../../core/work/work-observation.ts";
import { cutAnswer } from "../../../core/run/gate-answer.ts";
import { openGates } from "../../gates/open-gates.ts";
import type { AskGate, RunContext } from "../../run-context.ts";
import type { Machine } from "../../machine.ts";
import type { Artefact, RunRecord } from "../../ports.ts";
import { processesOf } from "../../processes/redacting-processes.ts";
import { contextOf } from "../start-run.ts";

type VerifyTip = Extract<WorkEffect, { type: "verify-tip" }>;
type Finished = Omit<Extract<WorkObservation, { type: "gate-finished" }>, "at" | "upMs">;

/** Asks a gate of a work run's contract in the project directory. */
export type AskTip = (effect: VerifyTip, signal: AbortSignal) => Promise<Finished>;

/** What a red check printed: as much of its end as its reason can quote. */
const saidCharsMax = 4000;

/** Opens the contract of a work run. */
export function openTipGates(
  machine: Machine,
  run: RunRecord,
  { contract, note }: { contract: Contract; note: RunContext["note"] },
): AskTip {
  const ask = gatesOf(machine, run, { contract, note });
  return async ({ id, gate, iteration, wallMs, runId }, signal) => {
    await lendTurnText(machine, { from: runId, to: run.id, iteration });
    const order = { type: "run-gate" as const, id, gate, iteration, wallMs, slot: null, candidate: null };
    const isCut = signal.aborted;
    const answer = isCut ? cutAnswer() : await ask({ ...order, hasClaim: true, isGreenSoFar: true }, signal);
    const red = answer.verdicts.find(({ isPassed }) => !isPassed);
    const said = red === undefined ? null : (await textOf(machine, red.output)).slice(-saidCharsMax);
    return { type: "gate-finished", effectId: id, said, ...answer };
  };
}

/** The gates as in a run, but for the work run itself. */
function gatesOf(
  machine: Machine,
  run: RunRecord,
  { contract, note }: { contract: Contract; note: RunContext["note"] },
): AskGate {
  const frozen = { ...withAgent(run.frozen), contract };
  const silent = { sink: { entry: () => {}, agentEvent: () => {} }, onCheck: () => {}, onStderr: () => undefined };
  const listening = { ...silent, onRequest: () => () => {}, onTaken: () => {} };
  const context = {
    ...contextOf(machine, { ...run, frozen }, listening),
    processes: processesOf(machine, frozen.settings),
    note,
  };
  return openGates(machine.gateKinds, contract, { context, tools: machine, own: {} });
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

async function textOf({ store }: Machine, output: TextRef): Promise<string> {
  return "text" in output ? output.text : ((await store.getBlob(output.blob)) ?? "");
}
