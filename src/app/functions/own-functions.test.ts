import { describe, expect, it } from "vitest";
import { missingFunctions, unknownFunctions } from "./own-functions.ts";

describe("the functions that a resume lacks", () => {
  const needed = { hasAgent: true, checks: ["the build", "the tests"], commands: ["npm test"] };

  it.each([
    ["none when all are given", needed, []],
    [
      "all of them on a command line",
      { hasAgent: false, checks: [], commands: ["npm test"] },
      ["its agent", "the checks the build, the tests"],
    ],
    [
      "the check in whose place another one stands",
      { hasAgent: true, checks: ["the build", "x"], commands: ["npm test"] },
      ["the check the tests"],
    ],
    [
      "both checks when their order is another",
      { hasAgent: true, checks: ["the tests", "the build"], commands: ["npm test"] },
      ["the checks the build, the tests"],
    ],
  ])("are %s", (_, given, expected) => {
    expect(missingFunctions(needed, given)).toEqual(expected);
  });
});

it("names functions that a run was not started with", () => {
  const needed = { hasAgent: false, checks: ["the build"], commands: ["npm test"] };
  expect(unknownFunctions(needed, needed)).toEqual([]);
  const given = { hasAgent: true, checks: ["the build", "the docs"], commands: ["npm test"] };
  expect(unknownFunctions(needed, given)).toEqual(["an agent function", "the check the docs"]);
  expect(unknownFunctions(needed, { ...needed, commands: ["npm test", "false"] })).toEqual(["the check false"]);
});
