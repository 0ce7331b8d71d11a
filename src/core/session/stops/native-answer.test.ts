import { describe, expect, it } from "vitest";
import { equalReasonsMax } from "../../policies/equal-reasons.ts";
import {
  isJudgedLater,
  isVerifiedState,
  judgeUnstored,
  judgeUnusable,
  nativeAnswer,
  verifiedState,
} from "./native-answer.ts";
import { believedVerdict, redVerdict } from "../read-verdicts.ts";
import { unusableCriteria, unusableRecord, unusableSettings } from "./unusable-checks.ts";
import { noStops, type StopCounts } from "./stop-counts.ts";

const red = { ...redVerdict("it is red"), output: { text: "line\n" } };

describe("a session that changed nothing", () => {
  it.each([
    ["a", "a", true],
    ["a", "b", false],
    ["a", null, false],
    [null, null, false],
  ])("has nothing to verify; a stop is judged after a change of any kind: row %#", (state, kept, expected) =>
    expect(isVerifiedState(state, kept)).toBe(expected),
  );

  it("is remembered only as long as nobody changed it while the checks ran", () => {
    expect(verifiedState({ before: "a", after: "a" })).toBe("a");
    expect(verifiedState({ before: "a", after: "b" })).toBeNull();
  });
});

it("a stop with work left that wakes the agent is judged later (S4-95)", () =>
  expect([isJudgedLater(["a build"]), isJudgedLater([])]).toEqual([true, false]));

describe("the answer to a judged stop without a loop", () => {
  it("is a block with every red verdict and its output, or a notice", () => {
    const verdict = { reasons: "- criteria: it is red", red: [red] };
    expect(nativeAnswer({ kind: "refused", ...verdict }, "A remark.")).toEqual({
      block: "The work is not verified (ralph/criteria.yaml):\n\n- criteria: it is red\nline\n\nA remark.",
    });
    expect(nativeAnswer({ kind: "verified", reasons: "", red: [] }, "A remark.")).toEqual({
      notice: "Verified by ralph/criteria.yaml. A remark.",
    });
    expect(nativeAnswer({ kind: "unverified", reasons: "", red: [] }, "A remark.")).toEqual({
      notice: "NOT verified: ralph/criteria.yaml was met by the stop alone, no check looked at the work. A remark.",
    });
  });
});

describe("a stop that is allowed although it is red", () => {
  it("names its reasons and the one limit of equal reasons (CW-4R)", () => {
    const verdict = { kind: "given-up" as const, reasons: "- criteria: it is red", red: [red] };
    expect(nativeAnswer(verdict, null)).toEqual({
      notice: `NOT verified, after ${equalReasonsMax} equal reasons the stop is allowed:\n- criteria: it is red`,
    });
  });
});

describe("a stop whose session run cannot be stored", () => {
  /** The kinds of so many red stops in a row, and the counts after them. */
  function stops(times: number): { kinds: string[]; counts: StopCounts | null } {
    const kinds: string[] = [];
    let counts: StopCounts | null = null;
    for (let at = 0; at < times; at += 1) {
      const judged = judgeUnstored([red, believedVerdict], { before: counts ?? noStops, isRow: true });
      kinds.push(judged.verdict.kind);
      ({ counts } = judged);
    }
    return { kinds, counts };
  }

  it("is refused as often as the one limit says, then allowed, and counted from the start (CW-4R)", () => {
    const refused = Array.from({ length: equalReasonsMax }, () => "refused");
    expect(stops(equalReasonsMax + 1)).toEqual({ kinds: [...refused, "given-up"], counts: null });
  });

  it("is verified by evidence without a red verdict, and nothing is counted any more", () => {
    const before = stops(2).counts ?? noStops;
    const green = { ...redVerdict("passed"), isPassed: true };
    const judged = judgeUnstored([green, believedVerdict], { before, isRow: true });
    expect(judged).toMatchObject({ verdict: { kind: "verified" }, counts: null });
    const believed = judgeUnstored([believedVerdict], { before, isRow: true });
    expect(believed).toMatchObject({ verdict: { kind: "unverified" }, counts: null });
  });
});

describe("criteria that cannot be used", () => {
  it("block one stop, and let the next ones pass by name", () => {
    const odd = unusableCriteria("it is odd");
    const first = judgeUnusable(odd, { before: noStops, isRow: false });
    expect(first.answer.block).toContain("The work cannot be verified: it is odd. Correct ralph/criteria.yaml");
    const second = judgeUnusable(odd, { before: first.counts, isRow: true });
    const remedy = "Correct ralph/criteria.yaml before the next session.";
    expect(second.answer).toEqual({ notice: `it is odd. This stop is NOT verified. ${remedy}` });
    expect(judgeUnusable(odd, { before: second.counts, isRow: true }).answer).toEqual(second.answer);
  });

  it("are named for what is wrong: settings are not repaired in the criteria file", () => {
    const { block } = judgeUnusable(unusableSettings("s.json:1: odd?"), { before: noStops, isRow: false }).answer;
    expect(block).toMatch(
      /^The work cannot be verified: s\.json:1: odd\? Correct these settings .*`ralph settings schema`/,
    );
    expect(block).not.toContain("criteria");
    expect(unusableRecord("it is gone", false)).toEqual({ problem: "it is gone.", remedy: "Start a new session." });
    expect(unusableRecord("it is gone", true).remedy).toBe("Cancel the loop and start it again.");
  });
});
