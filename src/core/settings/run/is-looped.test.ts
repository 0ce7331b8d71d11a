import { describe, expect, it } from "vitest";
import type { Role } from "../../tasks/criteria/role.ts";
import { isLooped, type LoopSettings } from "./is-looped.ts";

describe("isLooped", () => {
  const check = (settings: LoopSettings, role: Role | null, expected: boolean) =>
    expect(isLooped(settings, role)).toBe(expected);
  const loops = { coder: false, reviewer: true, tester: true, qa: true };

  it("is true where a frozen run says nothing of it (S2-08)", () => {
    check({ work: {} }, null, true);
    check({ work: {} }, "coder", true);
  });
  it("is false for a role that is switched off, and for no other (S2-46)", () => {
    check({ work: { loops } }, "coder", false);
    check({ work: { loops } }, "tester", true);
    check({ work: { loops } }, null, true);
  });
  it("is false for all when the loop is switched off (S2-46)", () => {
    check({ loop: { enabled: false }, work: { loops } }, "tester", false);
    check({ loop: { enabled: false }, work: {} }, null, false);
  });
});
