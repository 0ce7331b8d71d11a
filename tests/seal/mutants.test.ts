import { describe, expect, it } from "vitest";
import { honest, sealedProject } from "./sealed-project.ts";

const seal = { checks: "claims", repeat: 1, probe: false, mutants: 3 };
/** Code beside the repaired function that no test looks at. */
const unseen = [
  "export const rank = (a, b) => {",
  "  if (a < b) return 1;",
  "  if (a === b && b > 3) return 2;",
  "  return a * 7;",
  "};",
];

describe("mutants of the changed lines", () => {
  it("are noticed by the tests of honest work", async () => {
    const { code, stderr } = await sealedProject(honest, { seal }).run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("small mistakes are noticed")]);
  });

  it("refuse work that no test looks at, and say where", async () => {
    const deed = `${honest}; printf '%s\\n' ${unseen.map((line) => `'${line}'`).join(" ")} > rank.js`;
    const { code, stderr } = await sealedProject(deed, { seal }).run(["run", "-p", "Repair add."]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/only [01] of 3 small mistakes[^]*rank\.js:\d \(/)]);
  });
});
