import { describe, expect, it } from "vitest";
import { readVerdicts, redVerdict } from "./read-verdicts.ts";

const whole = { ...redVerdict("no"), isPassed: true, name: "unit", exitCode: 0, reason: "", output: { text: "fine" } };

describe("verdicts of a host's checks", () => {
  it("are taken as they are when they are whole", () => expect(readVerdicts([whole])).toEqual([whole]));

  it("need only isPassed, and may give their output as a text", () => {
    expect(readVerdicts([{ isPassed: true }, { isPassed: false, reason: "b", output: "out" }])).toMatchObject([
      { index: 0, isPassed: true, exitCode: 0 },
      { index: 1, isPassed: false, exitCode: 1, reason: "b", output: { text: "out" } },
    ]);
  });

  it.each<[unknown]>([[null], [5], ["passed"], [{}], [{ isPassed: "yes" }], [{ isPassed: 1 }], [[true]]])(
    "are red when one is %j",
    (verdict) => expect(readVerdicts([verdict])).toMatchObject([{ index: 0, isPassed: false }]),
  );

  it.each<[unknown]>([[null], [undefined], [true], [{ isPassed: true }]])(
    "are red when %j is given for the list",
    (value) =>
      expect(readVerdicts(value)).toMatchObject([{ isPassed: false, reason: "the checks gave no list of verdicts" }]),
  );

  it("keep the end of a long output", () => {
    const [verdict] = readVerdicts([{ isPassed: false, output: { text: `${"x".repeat(9000)}end` } }]);
    expect(verdict?.output).toEqual({ text: `${"x".repeat(4093)}end` });
  });
});
