import { expect, it } from "vitest";
import type { Feedback } from "../../run/feedback.ts";
import { continuationLine } from "./continuation-line.ts";

const loop = {
  active: true,
  iteration: 3,
  maxIterations: 20,
  completionPromise: "ALL_FIXED",
  startedAt: "2026-11-15T12:00:00.000Z",
  prompt: "Fix it\nand more",
  sessionId: "s1",
};
const red = (name: string, text = ""): Feedback => ({
  kind: "reason",
  name,
  reason: "Command exited with 1, expected 0",
  output: { text },
});
const rest = "Continue; when FULLY complete, output <promise>ALL_FIXED</promise>.";

it.each<[Feedback[], string]>([
  [[], "Ralph: iteration 4 of 20, no promise yet."],
  [[{ kind: "unchanged" }], "Ralph: iteration 4 of 20, nothing has changed yet. "],
  [[{ kind: "mentioned" }], "Ralph: iteration 4 of 20, no promise yet. The completion tag was mentioned"],
  [[red("npm test", "2 failed\n  a.test.ts\n")], "Ralph: iteration 4 of 20, npm test is red. "],
  [[red("npm test"), red("the\nlint")], "Ralph: iteration 4 of 20, npm test, the lint are red. "],
])("a continuation fits on one line that begins with how the iteration ended (S0-37): row %#", (feedback, begin) => {
  const line = continuationLine(loop, 4, feedback);
  expect(line.startsWith(begin)).toBe(true);
  expect(line.endsWith(` ${rest}`)).toBe(true);
  expect(line).not.toContain("\n");
});

it("names a criterion that has only its promise for a name by what it is, and ends each reason with a full stop", () => {
  const line = continuationLine(loop, 4, [red("ALL_FIXED")]);
  expect(line).toMatch(/^Ralph: iteration 4 of 20, the project's criterion is red\. .*expected 0\. Continue;/);
});

it("fits on five rows of a terminal of 80 columns, however much a red check printed (S0-37)", () => {
  const output = `> test\n${"not ok - adds\n".repeat(200)}1 failed\n`;
  expect(continuationLine(loop, 4, [red("npm test", output)]).length).toBeLessThan(5 * 76);
});

it("gives the reason with both ends of a long output, and never more than a host takes (S4-38)", () => {
  const line = continuationLine(loop, 4, [red("npm test", `first ${"x".repeat(5000)} last`)]);
  expect(line).toMatch(/Command exited with 1, expected 0 first x+\.\.\. \[truncated\] x+ last\. Continue/);
  const many = Array.from({ length: 50 }, (_, at) => red(`check ${at} ${"y".repeat(90)}`, "z".repeat(9000)));
  expect(continuationLine(loop, 4, many).length).toBeLessThan(10_000);
});
