import { describe, expect, it } from "vitest";
import { openScene } from "./open-verification.ts";

describe("string match", () => {
  const check = async (config: object, words: string, isPassed: boolean): Promise<void> => {
    expect((await openScene("string_match", config).verify(words)).verdict.isPassed).toBe(isPassed);
  };

  it.each<[string, string, boolean]>([
    ["ALL.* (v1) [x]$", "<promise>ALL.* (v1) [x]$</promise>", true],
    ["ALL.* (v1) [x]$", "<promise>ALL done (v1) x</promise>", false],
    ["$&", "<promise>$&</promise>", true],
    [".*", "<promise>anything</promise>", false],
    ["READY", "I have not reached READY", false],
    ["READY", "I will not print <promise>READY</promise> yet", false],
    ["READY", "<promise>ready</promise>", true],
  ])("takes the promise %j in %j as it is written: %s (CW-2A)", (promise, words, isPassed) =>
    check({ promise }, words, isPassed),
  );

  it("finds it anywhere only where loose is asked for, and still as plain text (CW-2A)", async () => {
    await check({ promise: "A.B", loose: true }, "here is a.b in prose", true);
    await check({ promise: "A.B", loose: true }, "here is axb in prose", false);
  });
});
