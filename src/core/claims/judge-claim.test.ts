import { describe, expect, it } from "vitest";
import { noClaims } from "./claim-report.ts";
import { isClaimed, mayComplete } from "./judge-claim.ts";

type Row = [sentence: string, report: Partial<typeof noClaims>, signals: ("promise" | "response")[], expected: boolean];

describe("isClaimed", () => {
  it.each<Row>([
    ["a promise alone claims (CB-01)", { isPromised: true }, ["promise", "response"], true],
    ["nothing claims nothing", {}, ["promise", "response"], false],
    ["a response equal to the text claims (S1-49)", { response: " done" }, ["promise", "response"], true],
    [
      "another response decides against a promise (S1-50, R-12)",
      { response: "NOT YET", isPromised: true },
      ["promise", "response"],
      false,
    ],
    ["a response decides against a missing promise", { response: "DONE" }, ["response"], true],
    ["a response that does not count is left out", { response: "NOT YET", isPromised: true }, ["promise"], true],
    ["a promise that does not count is left out", { isPromised: true }, ["response"], false],
    ["a wrong promise is no claim", { wrongPromise: "ALMOST" }, ["promise"], false],
    ["a mention is no claim (R-13)", { isMentioned: true }, ["promise", "response"], false],
  ])("%s", (_, report, signals, expected) => {
    expect(isClaimed({ ...noClaims, ...report }, { completionText: "DONE", signals })).toBe(expected);
  });
});

describe("mayComplete", () => {
  it.each([
    ["tag", true, true],
    ["tag", false, false],
    ["gate", false, true],
    ["done-file", true, false],
  ])("where the claim is a %s, with a promise: %s, is %s", (claimBy, isPromised, expected) => {
    const policy = { completionText: "DONE", signals: ["promise" as const], claimBy };
    expect(mayComplete({ ...noClaims, isPromised }, policy)).toBe(expected);
  });
});
