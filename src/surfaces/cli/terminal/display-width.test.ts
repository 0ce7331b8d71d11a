import { describe, expect, it, vi } from "vitest";
import { cutToWidth, displayWidth } from "./display-width.ts";

describe("a text of plain letters", () => {
  it("is measured and cut as any other, without the tables of Unicode, which take 11 ms to load", () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
    for (const width of [0, 1, 2, 5, 6, 7, 12]) {
      const plain = cutToWidth("ralph … loops", width);
      expect(segment).not.toHaveBeenCalled();
      expect(displayWidth(plain)).toBe(plain.length);
      // One letter that is not plain, behind what is kept.
      expect(cutToWidth("ralph … loops\u00e9", width)).toBe(plain);
      segment.mockClear();
    }
    segment.mockRestore();
  });
});

describe("the width of a text", () => {
  it.each([
    ["plain letters", "ralph", 5],
    ["nothing", "", 0],
    ["Chinese, Japanese and Korean letters", "漢字かな한글", 12],
    ["full-width and half-width forms", "Ａｱ", 3],
    ["a letter with a combining mark", "e\u0301", 1],
    ["a pile of marks on one letter", "Z\u0335\u0321\u0322\u035C", 1],
    ["an emoji", "🔧", 2],
    ["an emoji with a skin tone", "👍🏽", 2],
    ["a family joined to one emoji", "👨‍👩‍👧‍👦", 2],
    ["a flag of two letters", "🇯🇵", 2],
    ["a flag spelled in tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2],
    ["a sign that becomes an emoji by a selector", "❤️", 2],
    ["the same sign without the selector", "❤", 1],
    ["a Korean syllable in parts", "\u1112\u1161\u11AB", 2],
    ["an invisible joiner", "a\u200Bb", 2],
    ["a vowel sign that stands beside its letter", "का", 2],
    ["box drawing and arrows", "│→…", 3],
  ])("counts %s (S1-77)", (_, text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("a text cut to a width", () => {
  it.each([
    ["is left alone when it fits", "ralph", 5, "ralph"],
    ["ends in an ellipsis when it does not", "ralph loops", 6, "ralph…"],
    ["never splits a wide letter", "漢字漢字", 6, "漢字…"],
    ["never splits a joined emoji", "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 4, "👨‍👩‍👧‍👦…"],
    ["keeps marks with their letter", "e\u0301e\u0301e\u0301", 2, "e\u0301…"],
    ["is empty where nothing fits", "漢字", 0, ""],
    ["is the ellipsis where only that fits", "漢字", 1, "…"],
  ])("%s (S1-77)", (_, text, width, expected) => {
    expect(cutToWidth(text, width)).toBe(expected);
    expect(displayWidth(cutToWidth(text, width))).toBeLessThanOrEqual(width);
  });

  it("is not read to its end: megabytes in one line, or marks without end, are cut all the same (S1-77)", () => {
    expect(cutToWidth("x".repeat(10_000_000), 10)).toBe("xxxxxxxxx…");
    const pile = `a${"\u0301".repeat(1_000_000)}`;
    expect(cutToWidth(pile, 10).length).toBeLessThan(1000);
  });
});
