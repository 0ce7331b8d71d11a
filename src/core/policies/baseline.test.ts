import { expect, it } from "vitest";
import { baselineLabel } from "./baseline.ts";

it("tells what was broken before from what broke since, and says nothing where nobody looked", () => {
  const baseline = [
    { name: "lint", isPassed: false },
    { name: "test", isPassed: true },
  ];
  expect(baselineLabel(baseline, "lint")).toBe("baseline-broken");
  expect(baselineLabel(baseline, "test")).toBe("regressed");
  expect(baselineLabel(baseline, "build")).toBeNull();
  expect(baselineLabel(null, "test")).toBeNull();
});
