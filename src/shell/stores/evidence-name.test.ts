import { expect, it } from "vitest";
import { artefactPath } from "./artefact-path.ts";
import { evidenceName } from "./evidence-name.ts";

const order = { role: "run", iteration: 1, label: "make test" };

function check(over: Partial<typeof order>, expected: string): void {
  const name = evidenceName({ ...order, ...over });
  expect(artefactPath({ runId: "r1", kind: "check", name })).toBe(expected);
}

it("names run, role, iteration and check (S1-55)", () => {
  check({}, "runs/r1/checks/run/001_make_test.log");
  check({ role: "review-fix", iteration: 1234 }, "runs/r1/checks/review-fix/1234_make_test.log");
});

it("stays in the run's folder, whatever role and check are called (R-62)", () => {
  check({ role: "../../elsewhere" }, "runs/r1/checks/______elsewhere/001_make_test.log");
  check({ role: "", label: "../../x" }, "runs/r1/checks/run/001_x.log");
});
