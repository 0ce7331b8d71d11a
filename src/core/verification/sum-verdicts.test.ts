import { expect, it } from "vitest";
import { sumVerdicts } from "./sum-verdicts.ts";

it("calls work verified when every verdict passed and one of them rests on more than a word", () => {
  const [word, fact] = [
    { isPassed: true, isUnverified: true },
    { isPassed: true, isUnverified: false },
  ];
  expect(sumVerdicts([word])).toEqual({ isPassed: true, isVerified: false });
  expect(sumVerdicts([word, fact])).toEqual({ isPassed: true, isVerified: true });
  expect(sumVerdicts([fact, { ...word, isPassed: false }])).toEqual({ isPassed: false, isVerified: false });
});
