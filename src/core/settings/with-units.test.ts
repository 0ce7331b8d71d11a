import { expect, it } from "vitest";
import { parseSettings } from "./parse-settings.ts";
import { withUnits } from "./with-units.ts";

it("settings of a version that knew durations without a unit mean the same with it", () => {
  const former = {
    agent: { timeout: 90_000, command: "sim" },
    guardrailTimeout: "500",
    budget: { time: null },
    other: 7,
  };
  const { other, ...settings } = withUnits(former) as typeof former;
  expect(settings).toEqual({
    agent: { timeout: "90s", command: "sim" },
    guardrailTimeout: "500ms",
    budget: { time: null },
  });
  expect([other, parseSettings([{ source: "former", value: settings }]).agent.timeout]).toEqual([7, 90_000]);
  expect(withUnits([])).toEqual([]);
});
