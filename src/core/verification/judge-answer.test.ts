import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../tests/property-seed.ts";
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
    ["The answer:\nVERIFIED: all", true],
    ["I looked at every file.\n\nVERIFIED: all", true],
    ["I looked at every file.\n\nNOT_VERIFIED: b is open", false],
    ["Verdict: VERIFIED - all", true],
    ["**Verdict:** VERIFIED", true],
    ["My final answer is: NOT_VERIFIED: b", false],
    ["## Answer\n\n**NOT_VERIFIED**: b", false],
    ["**NOT VERIFIED**: b", false],
    ["*VERIFIED*: all", true],
    ["__VERIFIED__: all", true],
    ["**VERIFIED: all**", true],
    ["VERIFIED: a\n__NOT_VERIFIED__: b", null],
    ["# VERIFIED", true],
    ["- VERIFIED: all", true],
    ["* NOT_VERIFIED: b", false],
    ["1. VERIFIED: all", true],
    ['"VERIFIED: all"', null],
    ["\u201CVERIFIED: all\u201D", null],
    ["```\nVERIFIED: all\n```", true],
    ["```text\nNOT_VERIFIED: b\n```", false],
    ["Here it is:\n\n```\nVERIFIED: all\n```\n", true],
    ["```\nVERIFIED: all\n```\nEach test is there.", true],
    ["The agent printed:\n```\nVERIFIED: all\n```\nI found no test of it.", null],
    ["The agent printed:\n> VERIFIED: all\nI found no test of it.", null],
    ["I was asked for VERIFIED or NOT_VERIFIED.\nVERIFIED: all", null],
    ["- VERIFIED: a\n- NOT_VERIFIED: b", null],
    ["VERIFIED: a\nNot verified: b", null],
    ["VERIFIED: all\n\n**NOT VERIFIED**: b", null],
    ["It is not VERIFIED.", null],
    ["Partially VERIFIED", null],
    ["VERIFIEDLY done", null],
    ["VERIFIED_ALMOST", null],
    ["UNVERIFIED", null],
    ["verified: all", null],
    ["**VERIFIED**: all", true],
    ["`VERIFIED`", true],
    ["> VERIFIED: all", null],
    ["VERIFIED? I cannot tell", null],
    ["VERIFIED/NOT_VERIFIED: it depends", null],
    ["VERIFIED or NOT_VERIFIED, hard to say", null],
    ["VERIFIED: a\nNOT_VERIFIED: b", null],
    ["VERIFIED: <why every criterion is met>", null],
    ["VERIFIED: <why every criterion is met>\nNOT_VERIFIED: <reason>", null],
    ["VERIFIED all criteria are met", null],
    ["VERIFIED - all", true],
    ["VERIFIED \u2014 all", true],
    ["VERIFIED.", true],
    ["\u2705 **VERIFIED**: all", true],
    ["**VERIFIED.**", true],
    ["VERIFIED!\nEach test is there.", true],
    ["**VERIFIED** - all", true],
    ["> - **Verdict:** VERIFIED: all", null],
    ["VERIFIED-ISH", null],
    ["VERIFIED, but the tests are red", null],
    ["VERIFIED. No, wait, the tests are red", null],
    ["The answer VERIFIED: is what the agent wants me to say. It is false.", null],
    ["The verdict is VERIFIED: says the README. It is false.", null],
    ["Answer VERIFIED: is wanted", null],
    ['"VERIFIED: x" was in README. Not done.', null],
    ['"VERIFIED: x"\nwas in README. Not done.', null],
    ["\u201CVERIFIED\u201D: so says the README", null],
    ["'VERIFIED': so says the README", null],
    ["VERIFIED cannot be said here.", null],
    ["VERIFIED criteria so far: none. The work is incomplete.", null],
    ["NOT_VERIFIED all is open", false],
    ['"NOT_VERIFIED: x" is my answer', null],
    ["The answer is NOT_VERIFIED: b", false],
    ["\uFEFFVERIFIED: all", true],
    ["VERIFIED: all\r\n- a", true],
    ["", null],
    ["  \n ", null],
  ])("%j is %s (S2-24, CW-2J, R-67)", (text, expected) => check(text, expected));

  it.each([
    ["# VERIFIED\nnot_verified", null],
    ["VERIFIED\nnot-verified", null],
    ["VERIFIED\nIt is unverified.", null],
    ["VERIFIED\nIt isn't verified.", null],
    ["VERIFIED\nN\u200BOT_VERIFIED", null],
    ["NOT\nVERIFIED", null],
    ["NOT.\n\nVERIFIED", null],
    ["> VERIFIED", null],
    ["> VERIFIED\n\n> all", null],
    ["> NOT_VERIFIED: b", null],
    ["> The program prints VERIFIED.\n\nEach test is there.\n\nVERIFIED", null],
    ["> The program prints OK.\n\nEach test is there.\n\nVERIFIED", true],
    ["VERIFIED: the criterion is NOT met", null],
    ["VERIFIED: NO", null],
    ["VERIFIED - not at all", null],
    ["VERIFIED: it doesn\u2019t work", null],
    ["VERIFIED: unless the server is down", null],
    ["VERIFIED: two tests FAIL", null],
    ["VERIFIED: \u274C", null],
    ["VERIFIED\nAll is there, except the test.", null],
    ["VERIFIED\n\nEach test is there.\n\nBut they are red.", null],
    ["VERIFIED\nis what the agent wants to hear.", null],
    ["VERIFIED: is what the agent wants to hear.", null],
    ["I would answer\nVERIFIED: if the test passed, but it did not.", null],
    ["I would answer\nVERIFIED", null],
    ["I cannot say:\nVERIFIED", null],
    ["The agent wants me to say\nVERIFIED", null],
    ["The agent printed:\nVERIFIED", null],
    ["The agent printed:\n```\nVERIFIED\n```", null],
    ["It ends like this:\n```\n$ npm test\nVERIFIED\n```", null],
    ["One.\nTwo.\nThree.\nFour.\nVERIFIED\nFive.", null],
    ["One.\nTwo.\nThree.\nVERIFIED\nFour.", true],
    ["There is no test of b. I wrote one, and it passes.\n\nVERIFIED", true],
    ["The token is not kept.\nEach test is there.\n- a is met\n- b is met\n\nVERIFIED", true],
    ["## Answer\n- **VERIFIED**.\n", true],
    ["- VERIFIED: All criteria appear to be met", true],
    ["~~~\nVERIFIED\n~~~", true],
    ["~~VERIFIED~~", null],
    ["VERIFIED: <reason>", null],
    ["**VERIFIED**: `<reason>`", null],
    ["VERIFIED: [why]", null],
    ["VERIFIED: <div> is closed everywhere", true],
    ["Example answer:\n\nVERIFIED: ok", null],
    ["This is an example of an answer.\n\nVERIFIED: ok", null],
    ["For example:\nVERIFIED: ok", null],
    ["The format of the response:\nVERIFIED: ok", null],
    ["Every example of the guide runs.\n\nVERIFIED: ok", true],
    ["VERIFIED: a\nREJECTED: b", null],
    ["REJECTED: b\nVERIFIED: a", null],
    ["VERIFIED: a\n- **REFUSED**: b", null],
    ["VERIFIED: a rejected password is named", true],
    ["NOT VERIFIED: b", false],
    ["NOT_VERIFIED: it is VERIFIED, if you ask the agent", false],
  ])("%j is %s: only a clear word is a verdict (CW-2J)", (text, expected) => check(text, expected));

  it("is never a yes when something in it negates or quotes the word (CW-2J)", () => {
    const opposite = /not[^a-z0-9]*verified/iu;
    const negation = /\b(?:not|no|never|unless|if|but|fails|without)\b|n't/iu;
    const verdicts = ["VERIFIED", "VERIFIED", "VERIFIED:", "VERIFIED", "NOT_VERIFIED", "not verified", "not-verified"];
    const words = ["NOT", "no", "never", "isn't", "unless", "if", "but", "fails", "without", "all", "met", "Yes."];
    const signs = ["> ", '"', "**", "# ", "- ", "`", ":", " - ", "\n```\n", "\n", "\n", "\n\n", " ", " "];
    const pieces = fc.constantFrom(...verdicts, ...words, ...signs);
    const counts = { verified: 0 };
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 8 }), (parts) => {
        const text = parts.join("");
        if (readJudgeAnswer(text)?.isVerified !== true) return;
        counts.verified++;
        expect(text).not.toMatch(opposite);
        const [, before = "", after = ""] = /^([^]*?)(?<=^[*#\s`-]*)VERIFIED\b([^]*)$/mu.exec(text) ?? [];
        expect(after).not.toMatch(negation);
        expect(before.trimEnd().split("\n").at(-1)).not.toMatch(negation);
        expect(text).toMatch(/^[\s*#`-]*VERIFIED/mu);
      }),
      { seed: propertySeed, numRuns: 5000 },
    );
    expect(counts.verified).toBeGreaterThan(50);
  });

  it("is never a yes when VERIFIED stands only inside sentences (CW-2J)", () => {
    const word = fc.constantFrom("the", "README", "says", "it", "was", "cannot", "so", "criteria");
    const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((each) => each.join(" "));
    const heads = ["the answer ", "My verdict is ", "Result ", "- I say ", '"', "**\u201C", "1. '"];
    const begun = fc
      .tuple(fc.constantFrom(...heads), fc.constantFrom("", ":", '":', ".", "**"), words)
      .map(([head, mark, rest]) => `${head}VERIFIED${mark} ${rest}.`);
    const continued = fc
      .tuple(fc.constantFrom("", "- ", "**", "Verdict: ", "> "), words)
      .map(([head, rest]) => `${head}VERIFIED ${rest}.`);
    fc.assert(
      fc.property(fc.array(fc.oneof(begun, continued), { minLength: 1, maxLength: 4 }), (lines) => {
        expect(readJudgeAnswer(lines.join("\n"))?.isVerified ?? false).toBe(false);
      }),
      { seed: propertySeed },
    );
  });

  it("gives its reason, over lines (S2-24)", () => {
    expect(readJudgeAnswer("\nNOT_VERIFIED: two are open:\n- a\n- b\n")?.reason).toBe("two are open:\n- a\n- b");
    expect(readJudgeAnswer("VERIFIED")?.reason).toBe("no reason given");
    expect(readJudgeAnswer("Well:\n```\n**VERIFIED**: all of them\n```\n")?.reason).toBe("all of them");
    expect(readJudgeAnswer("**Verdict**: NOT_VERIFIED - b is open")?.reason).toBe("- b is open");
  });
});
