import { expect, it } from "vitest";
import {
  hasPattern,
  hasUnknown,
  isAllUnknown,
  marks,
  mayBe,
  plainPatterns,
  withoutMarks,
  withoutUnknown,
} from "./marks.ts";

it("takes its own characters out of a text from outside (R-121)", () => {
  expect(withoutMarks(`a${marks.trusted}b`)).toBe("a\uFFFDb");
});

it("reads a word as if nothing unknown had a value (R-121)", () => {
  expect(withoutUnknown(`r${marks.unknown}m`)).toBe("rm");
  expect(withoutUnknown(`${marks.some}/${marks.star}`)).toBe("x/*");
  expect(plainPatterns(`a${marks.question}`)).toBe("a?");
});

it("tells unknown parts and patterns apart (R-121)", () => {
  const word = `a${marks.unknown}`;
  expect([hasUnknown(word), isAllUnknown(word), hasPattern(word)]).toEqual([true, false, false]);
  expect([isAllUnknown(marks.download), hasPattern(marks.star)]).toEqual([true, true]);
});

it("knows which paths a pattern may stand for (R-121)", () => {
  expect(mayBe(`/etc/shad${marks.star}`, "/etc/shadow")).toBe(true);
  expect(mayBe(`/e${marks.question}c/shadow`, "/etc/shadow")).toBe(true);
  expect(mayBe(`/etc/s${marks.bracket}h]adow`, "/etc/shadow")).toBe(true);
  expect(mayBe(`/etc/${marks.star}.conf`, "/etc/shadow")).toBe(false);
  expect(mayBe(marks.star, "/etc/shadow")).toBe(false);
  expect(mayBe(`/a${marks.star}[(`, "/ab[(")).toBe(true);
});
