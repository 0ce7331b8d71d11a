import { expect, it } from "vitest";
import { countHeldOut, heldOutReason, heldOutWaitReason, inHeldOutFolder } from "./held-out.ts";

const end = (isPassed: boolean, hint: string | null = null) => ({ isPassed, hint });

it.each([
  ["nothing failed", [end(true), end(true, "H")], "passed"],
  ["one failed", [end(false), end(true), end(true)], "A held-out check of the task's behaviour failed (1 of 3)."],
  ["two failed", [end(false), end(false), end(true)], "Held-out checks of the task's behaviour failed (2 of 3)."],
  ["one with a hint failed", [end(false, "Think of zero."), end(true)], "Think of zero."],
  [
    "one with a hint and one without failed",
    [end(false, "Think of zero."), end(false)],
    "Think of zero. A held-out check of the task's behaviour failed (1 of 2).",
  ],
])("tells the agent hints and numbers when %s", (_, ends, expected) => {
  expect(heldOutReason(ends)).toBe(expected);
});

it("waits for a person after as many failed held-out claims as seal.repeat says, and counts from the start then", () => {
  const order = { isPassed: false, repeat: 2 };
  const first = countHeldOut(null, order);
  expect(first).toEqual({ count: { failed: 1 }, isWaiting: false });
  expect(countHeldOut(first.count, order)).toEqual({ count: { failed: 0 }, isWaiting: true });
});

it("neither counts nor forgets with a claim that passes", () => {
  expect(countHeldOut({ failed: 2 }, { isPassed: true, repeat: 2 })).toEqual({
    count: { failed: 2 },
    isWaiting: false,
  });
});

it("says how many claims were refused", () => {
  expect(heldOutWaitReason(1)).toContain("A claim was refused");
  expect(heldOutWaitReason(3)).toContain("3 claims were refused");
});

it.each([
  ["", [".held-out/conftest.py", "src/a.js", ".held-outer"], [".held-out/conftest.py"]],
  ["sub", ["sub/.held-out", ".held-out/x"], ["sub/.held-out"]],
])("finds what a candidate put where the files of held-out checks go, in %j", (directory, paths, expected) => {
  expect(inHeldOutFolder(paths, directory)).toEqual(expected);
});
