import { expect, it } from "vitest";
import { showToast } from "./show-toast.ts";

const toast = { title: "Ralph Loop", message: "Iteration 2/5", variant: "info" as const };

it("shows a toast before it returns, and nothing without one (CW-0M)", () => {
  const shown: unknown[] = [];
  showToast((each) => shown.push(each), toast);
  showToast((each) => shown.push(each), null);
  showToast(undefined, toast);
  expect(shown).toEqual([toast]);
});

it("survives a callback that throws, and one that rejects (R-37)", async () => {
  const fail = (): never => {
    throw new Error("no display");
  };
  expect(() => showToast(fail, toast)).not.toThrow();
  showToast(async () => fail(), toast);
  // A rejection that nobody handles would fail this test.
  await new Promise((resolve) => setImmediate(resolve));
});
