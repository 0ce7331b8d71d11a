import { describe, expect, it } from "vitest";
import { splitFlags } from "./split-flags.ts";

describe("splitFlags (S1-15, CW-1D)", () => {
  it.each<[string[], string[]]>([
    [
      ["--model opus", "--no-auto-compact"],
      ["--model", "opus", "--no-auto-compact"],
    ],
    [
      ["--model", "opus", "--no-auto-compact"],
      ["--model", "opus", "--no-auto-compact"],
    ],
    [["-m  opus\t-v"], ["-m", "opus", "-v"]],
    [[`--system "be nice" --x 'a "b"'`], ["--system", "be nice", "--x", 'a "b"']],
    [[`--system="be nice"`], ["--system=be nice"]],
    [[`--a "" --b ''`], ["--a", "", "--b", ""]],
    [[String.raw`--a b\ c "d\"e\\" \"f`], ["--a", "b c", String.raw`d"e\ `.trim(), '"f']],
    [[String.raw`--dir C:\work -v`], ["--dir", String.raw`C:\work`, "-v"]],
    [["--note don't stop"], ["--note don't stop"]],
    [
      ["be nice", "a b", ""],
      ["be nice", "a b", ""],
    ],
    [["--model "], ["--model"]],
    [[], []],
  ])("%j gives %j", (flags, argv) => expect(splitFlags(flags).argv).toEqual(argv));

  it("names the elements that were split", () => {
    expect(splitFlags(["--model opus", "--verbose", "a b"]).split).toEqual(["--model opus"]);
  });
});
