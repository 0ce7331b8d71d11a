import { describe, expect, it } from "vitest";
import { judgeCommand } from "../../src/core/guard/judge-command.ts";
import { place, readDangerous, readHarmless } from "./corpus.ts";

const dangerous = readDangerous();
const harmless = readHarmless();

describe("the guard refuses or warns of every dangerous line, in its category (S4-89, R-120, R-121)", () => {
  it.each(dangerous.map((row) => [row.decision, row.category, row.command]))(
    "%s %s: %j",
    (decision, category, command) => {
      const judgement = judgeCommand(command, place);
      expect(judgement.decision).toBe(decision);
      const found = judgement.findings.filter((finding) => finding.tier === decision);
      expect(found.map((finding) => finding.category)).toContain(category);
      expect(judgement.reason).not.toBe("");
    },
  );
});

describe("the guard lets every harmless line pass in silence, prose with patterns too (S4-89, R-120, R-122)", () => {
  it.each(harmless.map((row) => [row.command]))("%j", (command) => {
    const judgement = judgeCommand(command, place);
    expect(judgement.findings).toEqual([]);
    expect(judgement.decision).toBe("allow");
  });
});

describe("the corpora", () => {
  it("hold at least 150 lines each, and a refused line of each of the 18 categories (R-120)", () => {
    expect(dangerous.length).toBeGreaterThanOrEqual(150);
    expect(harmless.length).toBeGreaterThanOrEqual(150);
    const blocked = new Set(dangerous.filter((row) => row.decision === "block").map((row) => row.category));
    expect(blocked).toEqual(new Set(Array.from({ length: 18 }, (_, index) => index + 1)));
  });

  it("hold no line twice", () => {
    const all = [...dangerous, ...harmless].map((row) => row.command);
    expect(all.filter((command, index) => all.indexOf(command) !== index)).toEqual([]);
  });
});
