import { describe, expect, it } from "vitest";
import type { ContractGate, ContractSources } from "../../core/contract/contract.ts";
import { asOwn } from "../../shell/lib/as-own.ts";
import type { GateRequest, GateContext } from "../../shell/gates/gate-kind.ts";
import { type CheckFunction, checkFunctions } from "./check-function.ts";

const sources = asOwn<ContractSources>({ settings: { guardrailTimeout: 50 } });

async function ask(check: CheckFunction["check"], request: Partial<GateRequest> = {}) {
  const kind = checkFunctions([{ name: "works", check }]);
  const gate = kind.gatesOf(sources)[0];
  const context = { frozen: { projectDir: "/project" }, onCheck: () => {} };
  const perform = kind.open(asOwn<GateContext>({ context }));
  if (perform === null) throw new Error("it is not open");
  const signal = new AbortController().signal;
  return perform(asOwn<GateRequest>({ gate, iteration: 2, wallMs: null, signal, ...request }));
}

describe("a check that is a function", () => {
  it.each<[string, CheckFunction["check"], boolean, string]>([
    ["true", () => true, true, "passed"],
    ["false", () => false, false, "works: it is red"],
    ["its own reason", () => ({ isPassed: false, reason: "2 of 3" }), false, "works: 2 of 3"],
    ["a rejection", () => Promise.reject(new Error("broken")), false, "works: broken"],
    ["no answer", () => asOwn<boolean>(undefined), false, "works: it is red"],
    ["a word", () => asOwn<boolean>("yes"), false, "works: it is red"],
    ["an object that says nothing", () => asOwn<boolean>({}), false, "works: it is red"],
  ])("says %s: only true is green", async (_, check, isPassed, reason) => {
    expect((await ask(check)).verdicts).toMatchObject([{ isPassed, reason }]);
  });

  it("is red after its time, and cut without a verdict when the run is", async () => {
    const hang = (): Promise<boolean> => new Promise(() => {});
    expect((await ask(hang, { wallMs: 10 })).verdicts).toMatchObject([{ isPassed: false, isTimedOut: true }]);
    expect(await ask(hang, { signal: AbortSignal.abort() })).toMatchObject({ isCut: true, verdicts: [] });
  });

  it("is a gate of the contract, by the place it was given at; one that nobody knows is never green", async () => {
    const kind = checkFunctions([{ name: "slow", check: () => true, when: "on-claim" }]);
    expect(kind.gatesOf(sources)).toMatchObject([
      { name: "slow", when: "on-claim", origin: "options checks[0]", limits: { wallMs: 50 } },
    ]);
    const gate = asOwn<ContractGate>({ id: "check-function-9", name: "gone" });
    expect((await ask(() => true, { gate })).verdicts).toMatchObject([{ isPassed: false }]);
  });
});
