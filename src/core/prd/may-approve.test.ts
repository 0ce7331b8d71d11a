import { expect, it } from "vitest";
import { mayApprove } from "./may-approve.ts";

it("lets reviews approve, and looks without a turn; without reviews every turn", () => {
  const roles = ["implement", "review-fix", "review", "run"];
  expect(roles.map((role) => mayApprove(role, { isReviewSkipped: false }))).toEqual([false, false, true, true]);
  expect(roles.map((role) => mayApprove(role, { isReviewSkipped: true }))).toEqual([true, true, true, true]);
});
