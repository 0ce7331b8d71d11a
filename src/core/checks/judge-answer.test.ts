import { describe, expect, it } from "vitest";
import { readJudgeAnswer } from "./judge-answer.ts";

describe("a judge's answer", () => {
  const check = (text: string, expected: boolean | null): void => {
    expect(readJudgeAnswer(text)?.isVerified ?? null).toBe(expected);
  };

  it.each([
    ["VERIFIED: all criteria are met", true],
    ["\n\n  VERIFIED", true],
    ["NOT_VERIFIED: all verified except x", false],
    ["NOT_VERIFIED", false],
    ["NOT_VERIFIED: VERIFIED", false],
    ["NOT_VERIFIED: a\nVERIFIED: b", false],
    ["I think it is VERIFIED", null],
    ["The answer:\nVERIFIED: all", null],
    ["VERIFIEDLY done", null],
    ["VERIFIED_ALMOST", null],
    ["UNVERIFIED", null],
    ["verified: all", null],
    ["**VERIFIED**: all", null],
    ["`VERIFIED`", null],
    ["> VERIFIED: all", null],
    ["VERIFIED? I cannot tell", null],
    ["VERIFIED/NOT_VERIFIED: it depends", null],
    ["VERIFIED or NOT_VERIFIED, hard to say", null],
    ["VERIFIED: a\nNOT_VERIFIED: b", null],
    ["VERIFIED: <why every criterion is met>", null],
    ["VERIFIED: <why every criterion is met>\nNOT_VERIFIED: <reason>", null],
    ["VERIFIED all criteria are met", true],
    ["\uFEFFVERIFIED: all", true],
    ["VERIFIED: all\r\n- a", true],
    ["", null],
    ["  \n ", null],
  ])("%j is %s (S2-24, CW-2J, R-67)", (text, expected) => check(text, expected));

  it("gives its reason, over lines (S2-24)", () => {
    expect(readJudgeAnswer("\nNOT_VERIFIED: two are open:\n- a\n- b\n")?.reason).toBe("two are open:\n- a\n- b");
    expect(readJudgeAnswer("VERIFIED")?.reason).toBe("no reason given");
  });
});
