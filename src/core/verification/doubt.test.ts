import { expect, it } from "vitest";
import { hasDoubt, hasRefusal, isReport } from "./doubt.ts";

it("hears negations, conditions, exceptions and failures as words, in any letter case", () => {
  for (const text of ["It is Not met", "no", "it doesn’t work", "IF it runs", "all but one", "tests failed", "❌"])
    expect([text, hasDoubt(text)]).toEqual([text, true]);
  for (const text of ["", "all criteria are met", "nodes and notes differ", "the iframe works", "butter"])
    expect([text, hasDoubt(text)]).toEqual([text, false]);
});

it("finds the refusal in every spelling, over line ends too (CW-2J)", () => {
  for (const text of [
    "NOT_VERIFIED",
    "not verified",
    "not-verified",
    "NOT\n\n**VERIFIED**",
    "unverified",
    "isn't verified",
  ])
    expect([text, hasRefusal(text)]).toEqual([text, true]);
  for (const text of ["VERIFIED", "I verified all", "noted: VERIFIED"])
    expect([text, hasRefusal(text)]).toEqual([text, false]);
});

it("tells a report of somebody's words from an introduction", () => {
  expect([isReport("The agent printed:"), isReport("README says:"), isReport("My answer:")]).toEqual([
    true,
    true,
    false,
  ]);
});
