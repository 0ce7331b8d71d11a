import { assert } from "../../../core/assert.ts";
import type { TextRef } from "../../../core/verification/verdict.ts";
import type { GateAnswer } from "../../../core/run/observation.ts";
import { type Contract, policyGates } from "../../../core/contract/contract.ts";
import { roleRun } from "../../../core/work/role-run.ts";
import type { FrozenRun } from "../../../core/settings/frozen-run.ts";
import { firstStep } from "../../../core/work/next-step.ts";
import { judgeTip, nextTipGate, tipGates, tipReason } from "../../../core/work/verify-tip.ts";
import { openGates } from "../../gates/open-gates.ts";
import type { AskGate } from "../../run-context.ts";
import type { Machine } from "../../machine.ts";
import type { RunRecord } from "../../ports.ts";
import { processesOf } from "../../processes/redacting-processes.ts";
import { turnTextPath } from "../../stores/stream-path.ts";
import { contextOf } from "../start-run.ts";
import type { WorkRecord } from "./work-record.ts";

/** The checks of the project on the tip that a task was merged into. */
export type WorkTip = {
  /** Names of the checks. */
  checks: string[];
  /** Asks every gate of the work's contract in the project directory; one tip at a time. */
  verify: (last: { runId: string | null }) => Promise<TipEnd>;
  /** The task whose red merge could not be undone: nothing is merged onto it. */
  stuckBy: string | null;
};

/** Kept, red for this reason, or unknown. */
export type TipEnd = { kind: "keep" } | { kind: "undo"; reason: string } | { kind: "hold"; reason: string };

/** Opens the contract of a work. */
export function openWorkTip(
  machine: Machine,
  run: RunRecord,
  { record, contract }: { record: WorkRecord; contract: Contract },
): WorkTip {
  const gates = tipGates(contract.gates);
  const ask = gates.length === 0 ? null : gatesOf(machine, run, { record, contract });
  return {
    checks: gates.map(({ name }) => name),
    stuckBy: null,
    async verify({ runId }) {
      if (ask === null) return { kind: "keep" };
      const iteration = await record.beginTip();
      await lendTurnText(machine, { from: runId, to: run.id, iteration });
      const answers: Record<string, GateAnswer> = {};
      for (;;) {
        const gate = nextTipGate(policyGates(gates), answers);
        if (gate === null) break;
        answers[gate.id] = await record.runGate(gate, ask);
      }
      const decision = judgeTip(policyGates(gates), answers);
      if (decision.kind !== "undo") return decision;
      return { kind: "undo", reason: tipReason(decision.red, await textOf(machine, decision.red.output)) };
    },
  };
}

/** The gates as they are asked by a run, but for the work itself. */
function gatesOf(
  machine: Machine,
  run: RunRecord,
  { record, contract }: { record: WorkRecord; contract: Contract },
): AskGate {
  const frozen = { ...withAgent(run.frozen), contract };
  const silent = { sink: { entry: () => {}, agentEvent: () => {} }, onCheck: () => {}, onStderr: () => undefined };
  const listening = { ...silent, onRequest: () => () => {}, onTaken: () => {} };
  const context = {
    ...contextOf(machine, { ...run, frozen }, listening),
    processes: processesOf(machine, frozen.settings),
    note: record.note,
  };
  return openGates(machine.gateKinds, contract, { context, tools: machine, own: {} });
}

/** A judge runs as the agent of the settings; where only roles have one, as that of the first role. */
function withAgent(frozen: FrozenRun): FrozenRun {
  const [task] = frozen.work?.tasks ?? [];
  if (frozen.settings.agent.command !== null || frozen.work === undefined || task === undefined) return frozen;
  const progress = firstStep(null, frozen.work);
  assert(progress !== null, "a work has at least one role");
  const rest = { budgetUsd: null, budgetTokens: null, budgetMs: null };
  const { settings } = roleRun({ work: frozen, task, progress, place: { projectDir: "", startCommit: null }, rest });
  return { ...frozen, settings: { ...frozen.settings, agent: settings.agent } };
}

/** What a judge reads of a turn is what the last role of the task said. */
async function lendTurnText(
  { disk, folder, store }: Machine,
  { from, to, iteration }: { from: string | null; to: string; iteration: number },
): Promise<void> {
  const [last] = from === null ? [] : await store.find(from);
  if (last === undefined) return;
  const text = await disk.readText(turnTextPath(folder, last.id, last.state.iteration)).catch(() => null);
  if (text !== null) await disk.writeAtomic(turnTextPath(folder, to, iteration), text).catch(() => {});
}

async function textOf({ store }: Machine, output: TextRef): Promise<string> {
  return "text" in output ? output.text : ((await store.getBlob(output.blob)) ?? "");
}
