import { plainAnswer } from "../../core/run/gate-answer.ts";
import type { GateKind, GateRequest } from "../../shell/gates/gate-kind.ts";
import type { Machine } from "../../shell/machine.ts";
import type { RunRecord } from "../../shell/ports.ts";

/**
 * The machine with a stand-in for each kind of gate of a run that it does not know, because only another program does. A
 * stand-in is never green: it is for a run that is ended and asks no gate any more.
 */
export function withStandIns(machine: Machine, { frozen }: Pick<RunRecord, "frozen">): Machine {
  const known = new Set(machine.gateKinds.map(({ name }) => name));
  const unknown = new Set((frozen.contract?.gates ?? []).map(({ kind }) => kind).filter((kind) => !known.has(kind)));
  return { ...machine, gateKinds: [...machine.gateKinds, ...Array.from(unknown, standIn)] };
}

function standIn(name: string): GateKind {
  return { name, gatesOf: () => [], open: () => (order) => Promise.resolve(plainAnswer([red(order)])) };
}

function red({ gate }: GateRequest) {
  const facts = { exitCode: 1, isTimedOut: false, durationMs: 0, output: { text: "" }, logFile: null, evidence: null };
  return {
    index: 0,
    name: gate.name,
    isPassed: false,
    reason: "only the program that started the run has it",
    ...facts,
  };
}
