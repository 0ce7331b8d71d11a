import { expect, it } from "vitest";
import { evidencePath } from "./evidence-path.ts";

const order = { runId: "r1", role: "run", iteration: 1, label: "make test" };

function check(over: Partial<typeof order>, taken: string[], expected: string): void {
  expect(evidencePath({ ...order, ...over, isTaken: (path) => taken.includes(path) })).toBe(expected);
}

it("names run, role, iteration and check (S1-55)", () => {
  check({}, [], "runs/r1/checks/run/001_make_test.log");
  check({ role: "review-fix", iteration: 1234 }, [], "runs/r1/checks/review-fix/1234_make_test.log");
});

it("takes a number where evidence lies already, so that none is overwritten (R-62)", () => {
  check({}, ["runs/r1/checks/run/001_make_test.log"], "runs/r1/checks/run/001_make_test_1.log");
});

it("stays in the run's folder, whatever role and check are called (R-62)", () => {
  check({ role: "../../elsewhere" }, [], "runs/r1/checks/______elsewhere/001_make_test.log");
  check({ role: "", label: "../../x" }, [], "runs/r1/checks/run/001_x.log");
  expect(() => check({ runId: "../r1" }, [], "")).toThrow("can be the name of a folder");
});
