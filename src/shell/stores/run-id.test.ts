import { expect, it } from "vitest";
import { newRunId } from "./run-id.ts";

const now = Date.UTC(2026, 10, 15, 20, 43, 55, 999);

it("writes the time of the start in UTC and four letters or digits", () => {
  expect(newRunId(now, () => 0)).toBe("20261115-204355-aaaa");
  expect(newRunId(now, () => 0.999_999)).toBe("20261115-204355-9999");
});

it("sorts by age, whatever the random part", () => {
  expect(newRunId(now, () => 0.999) < newRunId(now + 1000, () => 0)).toBe(true);
});

it("uses no letters or digits that look alike", () => {
  const used = Array.from({ length: 1000 }, (_, index) => newRunId(now, () => index / 1000).slice(16)).join("");
  expect(used).toMatch(/^[a-z2-9]+$/);
  expect(used).not.toMatch(/[ilo01]/);
});
