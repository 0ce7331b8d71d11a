import { describe, expect, it } from "vitest";
import { continuationPrompt } from "./loop/continuation-prompt.ts";
import { claimsInMessages, detectCompletionPromise, detectInMessages } from "./detect-promise.ts";
import type { SessionMessage } from "./session-message.ts";

const tag = "<promise>DONE</promise>";
const says = (content: string): SessionMessage => ({ role: "assistant", content });

describe("detectCompletionPromise", () => {
  function check(text: string, promise: string, expected: boolean): void {
    expect(detectCompletionPromise(text, promise)).toBe(expected);
  }

  it("detects the tag with white space, in any case (S0-16, S0-17, R-11)", () => {
    check(tag, "DONE", true);
    check("All done.\n<promise>\n  DONE\t\n</promise>\n", "DONE", true);
    check("<PROMISE>done</Promise>", "Done", true);
  });

  it.each(["A.B*(1)", "$&", "x|y", 'it\'s "so"', "zwei Wörter", "🙂", "a\nb", "{{PROMPT}}"])(
    "takes the promise %j as it is written (S0-17, R-10)",
    (promise) => {
      check(`<promise>${promise}</promise>`, promise, true);
      check("<promise>AxB(1)</promise>", promise, false);
    },
  );

  it("needs the tag, as a claim, with the very text (R-03, R-09, R-13, R-15)", () => {
    check("DONE", "DONE", false);
    check("The task is done and complete.", "DONE", false);
    check("<promise>DONE!</promise>", "DONE", false);
    check("I will not output <promise>DONE</promise> yet", "DONE", false);
    check("<promise></promise>", "", false);
    check("<promise> </promise>", " ", false);
  });
});

describe("detectInMessages", () => {
  it("hears the agent alone (S0-19, R-01, R-02)", () => {
    expect(detectInMessages([{ role: "user", content: tag }], "DONE")).toBe(false);
    expect(detectInMessages([{ role: "tool", content: tag }], "DONE")).toBe(false);
    expect(detectInMessages([{ role: "assistant", content: [{ type: "reasoning", text: tag }] }], "DONE")).toBe(false);
    expect(detectInMessages([{ role: "assistant" }, says(tag)], "DONE")).toBe(true);
  });

  it("hears a promise that many messages follow (R-05)", () =>
    expect(detectInMessages([says(tag), ...Array.from({ length: 200 }, () => says("more"))], "DONE")).toBe(true));

  it("begins where it is told to (CW-0A)", () => {
    const list = [says("a"), says(tag), says("b")];
    expect([0, 1, 2, 3].map((since) => detectInMessages(list, "DONE", since))).toEqual([true, true, false, false]);
  });
});

describe("claimsInMessages", () => {
  const loop = {
    active: true,
    iteration: 2,
    maxIterations: 5,
    completionPromise: "DONE",
    startedAt: "2026-11-15T12:00:00.000Z",
    prompt: `Say so at the end:\n${tag}\n`,
    sessionId: "s1",
  };
  const prompts = [continuationPrompt(loop, 2, []), loop.prompt];

  it("does not take an echo of its prompts for a claim (R-01)", () => {
    for (const echo of prompts) {
      expect(claimsInMessages([says(`You asked:\n${echo}\nI begin.`)], { promise: "DONE", prompts }).isPromised).toBe(
        false,
      );
      expect(
        claimsInMessages([says(`You asked:\n${echo}\nDone.\n${tag}`)], { promise: "DONE", prompts }).isPromised,
      ).toBe(true);
    }
  });

  it("joins nothing over messages that are not the agent's, and reports what else was claimed", () =>
    expect(
      claimsInMessages([says("<promise>OTHER</promise>"), says("<promise>BLOCKED: no key</promise>")], {
        promise: "DONE",
        prompts,
      }),
    ).toMatchObject({ isPromised: false, wrongPromise: "OTHER", blocked: "no key" }));
});
