import { describe, expect, it } from "vitest";
import type { Lease, LivenessAnswer, Owner } from "../ports.ts";
import { judgeDriver, judgeLeases, type LeaseTaker } from "./lease-rule.ts";

const now = 1_000_000;
const ada: Owner = { pid: 101, startTime: "5001", host: "here" };
const bob: Owner = { pid: 102, startTime: "5002", host: "here" };
const far: Owner = { pid: 101, startTime: "5001", host: "there" };

const lease: Lease = { runId: "a", owner: ada, epoch: 3, expiresAt: now + 30_000 };
const past: Lease = { ...lease, expiresAt: now - 3_600_000 };
const dead: LivenessAnswer = { runId: "a", owner: ada, epoch: 3, isAlive: false };
const living: LivenessAnswer = { ...dead, isAlive: true };

describe("the driver of a lease", () => {
  it.each<[sentence: string, held: Lease, answers: LivenessAnswer[], expected: string]>([
    ["on the same host nobody looked at", lease, [], "unknown"],
    ["on the same host nobody looked at, whose time has passed", past, [], "unknown"],
    ["on the same host that lives", lease, [living], "living"],
    ["on the same host that lives, though its time has passed", past, [living], "living"],
    ["on the same host that is dead, though its time has not passed", lease, [dead], "dead"],
    ["on the same host without an end that lives", { ...lease, expiresAt: null }, [living], "living"],
    ["on the same host without an end that is dead", { ...lease, expiresAt: null }, [dead], "dead"],
    ["that took the run since another was seen dead", { ...lease, epoch: 4 }, [dead], "unknown"],
    [
      "with the pid of the one seen dead, started later",
      { ...lease, owner: { ...ada, startTime: "6" } },
      [dead],
      "unknown",
    ],
    ["of another run than the one seen dead", { ...lease, runId: "b" }, [dead], "unknown"],
    ["on another host before its end", { ...lease, owner: far }, [], "living"],
    ["on another host at its end", { ...lease, owner: far, expiresAt: now }, [], "dead"],
    ["on another host after its end", { ...past, owner: far }, [], "dead"],
    ["on another host without an end", { ...lease, owner: far, expiresAt: null }, [], "living"],
    ["on another host that somebody believes dead", { ...lease, owner: far }, [{ ...dead, owner: far }], "living"],
    [
      "on another host after its end that somebody believes alive",
      { ...past, owner: far },
      [{ ...living, owner: far }],
      "dead",
    ],
  ])("%s (R-24)", (_, held, answers, expected) => {
    expect(judgeDriver(held, { owner: bob, at: now, answers })).toBe(expected);
  });
});

describe("a run", () => {
  const taker: LeaseTaker = { owner: bob, at: now, answers: [dead] };
  const judge = (onDirectory: Lease[], change: { ofChildren?: Lease[]; parentId?: string; taker?: LeaseTaker } = {}) =>
    judgeLeases({ onDirectory, ofChildren: change.ofChildren ?? [] }, change.parentId ?? null, change.taker ?? taker);
  const other = { ...lease, runId: "b", epoch: 1, owner: { ...far, pid: 7 } };

  it("is taken when nobody holds its directory (R-24)", () => {
    expect(judge([])).toEqual({ may: "take", stale: [] });
  });

  it("is taken from a dead driver, whose lease goes (R-24)", () => {
    expect(judge([lease])).toEqual({ may: "take", stale: [lease] });
  });

  it("is not taken while one of the holders lives, whoever else is dead or unknown (R-24)", () => {
    expect(judge([lease, { ...lease, runId: "c" }, other])).toEqual({ may: "wait", holder: other });
  });

  it("is asked about before it is taken, with all that are unknown at once (R-24)", () => {
    const children = [{ ...lease, runId: "d" }];
    const unknown = { ...lease, runId: "c" };
    expect(judge([lease, unknown], { ofChildren: children })).toEqual({ may: "ask", unknown: [unknown, ...children] });
  });

  it("does not wait for living children elsewhere, and clears the dead ones (R-44)", () => {
    expect(judge([], { ofChildren: [lease, other] })).toEqual({ may: "take", stale: [lease] });
  });

  it("is not in the way of its own child, unless another process drives it (R-24)", () => {
    const answers = [living];
    const own = { owner: ada, at: now, answers };
    expect(judge([lease], { parentId: "a", taker: own })).toEqual({ may: "take", stale: [] });
    expect(judge([lease], { parentId: "b", taker: own })).toEqual({ may: "wait", holder: lease });
    expect(judge([lease], { parentId: "a", taker: { ...own, owner: bob } })).toEqual({ may: "wait", holder: lease });
  });
});
