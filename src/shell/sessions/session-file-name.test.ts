import { describe, expect, it } from "vitest";
import { sessionFileName } from "./session-file-name.ts";

function check(sessionId: string, expected: string): void {
  expect(sessionFileName(sessionId)).toBe(expected);
}

describe("sessionFileName", () => {
  it("keeps a harmless id", () => check("0b1e-5", "session-0b1e-5.json"));

  it("leads out of no folder, and tells upper from lower case (R-20)", () => {
    check("../x", "session-_2e_2e_2fx.json");
    check("sA", "session-s_41.json");
    check("_41", "session-_5f41.json");
    check("ö", "session-_c3_b6.json");
  });

  it("cuts a long id and still tells two apart", () => {
    const names = ["a", "b"].map((end) => sessionFileName("x".repeat(500) + end));
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => name.length < 120)).toBe(true);
  });
});
