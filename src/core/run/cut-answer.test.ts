import { describe, expect, it } from "vitest";
import { noSpend } from "../agents/spend.ts";
import { cutAnswer } from "./cut-answer.ts";
import type { PendingEffect } from "./effect.ts";

const spend = { ...noSpend, usd: 0.5 };
const state = { liveSpend: spend, sessionId: "s-1" };
const answerTo = (effect: object) => cutAnswer({ id: 7, ...effect } as PendingEffect, state);

describe("an effect that was cut", () => {
  it("as a turn answers with what it has used, so that the budget counts it", () =>
    expect(answerTo({ type: "begin-turn" })).toMatchObject({
      type: "turn-ended",
      effectId: 7,
      report: { isCut: true, spend, sessionId: "s-1" },
    }));

  it("as a gate answers with no verdict", () =>
    expect(answerTo({ type: "run-gate", gate: { isAlways: false } })).toMatchObject({ isCut: true, verdicts: [] }));

  it("as a gate that always runs stops the run as failed, so that a resume asks it first", () =>
    expect(answerTo({ type: "run-gate", gate: { isAlways: true, name: "The task list" } })).toMatchObject({
      isCut: false,
      stop: { name: "failed", reason: "The task list could not be put in order in time." },
    }));

  it("as a delivery answers without a commit", () =>
    expect(answerTo({ type: "deliver" })).toMatchObject({ isCut: true, commit: null, problem: null }));

  it("as a wait answers nothing", () => expect(answerTo({ type: "set-timer" })).toBeNull());
});
