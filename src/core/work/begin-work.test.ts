import { expect, it } from "vitest";
import { plain } from "../../../tests/engine/play.ts";
import { goOnWork, opened, playWork, resumedWith, rulesOf, tasksOf, used } from "../../../tests/engine/play-work.ts";
import { noSpend } from "../agents/spend.ts";
import { newRun } from "../run/state.ts";
import { beginWork } from "./begin-work.ts";
import { newWork } from "./work-state.ts";

const shape = { tasks: [{ id: "one" }] };

it("begins with every task waiting", () => {
  const moment = { at: 0, upMs: 0 };
  const order = { type: "work-started" as const, rules: rulesOf(shape), tasks: tasksOf(shape) };
  expect(beginWork(newWork(plain), { ...order, ...moment }).work.tasks).toMatchObject([
    { id: "one", isBegun: false, phase: { kind: "waiting" } },
  ]);
});

it("is not begun twice", () => {
  const played = playWork(shape);
  const order = { type: "work-started" as const, rules: rulesOf(shape), tasks: tasksOf(shape) };
  expect(goOnWork(played, () => ({ news: order })).state).toBe(played.state);
});

it("goes on after a resume with what its role runs used", () => {
  const roles = [{ runId: "one-1", ...used("one", { usd: 2 }), end: null }];
  const resumed = goOnWork(playWork(shape, opened("one")), resumedWith(shape, roles));
  expect(resumed.state.spend.usd).toBe(2);
});

it("hears nothing any more once it was completed", () => {
  const ended = { ...playWork(shape).state, outcome: { name: "completed" as const, reason: "" } };
  const before = { state: ended, effects: [], orders: [], upMs: 0 };
  expect(goOnWork(before, resumedWith(shape)).state).toBe(ended);
});

it("takes over what an earlier version stored, with what it had spent on tips", () => {
  const takenOver = { ...newRun(plain), iteration: 4, spend: { ...noSpend, usd: 3, inputTokens: 5 } };
  const roles = [{ runId: "one-1", ...used("one", { usd: 2 }), end: null }];
  const resumed = goOnWork({ state: newWork(plain), effects: [], orders: [], upMs: 0 }, (played) => {
    const { news } = resumedWith(shape, roles)(played);
    if (news.type !== "work-resumed") throw new Error("it is a resume");
    return { news: { ...news, takenOver } };
  });
  expect(resumed.state).toMatchObject({ iteration: 4, spend: { usd: 3 }, work: { tipSpend: { usd: 1 } } });
});
