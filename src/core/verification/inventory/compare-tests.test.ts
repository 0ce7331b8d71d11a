import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../../tests/property-seed.ts";
import { testId, type TestCase } from "../reports/test-case.ts";
import { compareTests, type Comparison, type TestRule } from "./compare-tests.ts";
import type { CountedGroup } from "./counted-groups.ts";

fc.configureGlobal({ seed: propertySeed });

const statuses = { "+": "passed", "-": "failed", "~": "skipped", "!": "failed" } as const;

/** `a+ b- c~ d!`: passed, failed, skipped, failed as a whole; all in the file f.js unless `x.js/a+` names another one. */
function tests(text: string): TestCase[] {
  return text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const mark = word.slice(-1) as keyof typeof statuses;
      const [name = "", file = "f.js"] = word.slice(0, -1).split("/").toReversed();
      return { file, suite: "", name, status: statuses[mark], ...(mark === "!" ? { isWhole: true as const } : {}) };
    });
}

type More = { rule?: TestRule; quarantined?: string[]; counted?: CountedGroup[] };

function compare(base: string, now: string, { rule = "keep", quarantined = [], counted = [] }: More = {}): Comparison {
  const ids = new Set(quarantined.map((name) => testId({ file: "f.js", suite: "", name }, 0)));
  return compareTests({ base: tests(base), now: tests(now), rule, quarantined: ids, counted });
}

/** `failed a b; missing c`, or `accepted`. */
function outline({ refusals }: Comparison): string {
  const words = refusals.map((refusal) =>
    "tests" in refusal ? [refusal.kind, ...refusal.tests.map(({ name }) => name)].join(" ") : refusal.kind,
  );
  return words.length === 0 ? "accepted" : words.join("; ");
}

describe("tests that ran now, against those of the base", () => {
  const check = (base: string, now: string, expected: string): void =>
    expect(outline(compare(base, now))).toBe(expected);

  it.each([
    ["a+ b+", "a+ b+", "accepted"],
    ["a+ b+", "b+ a+", "accepted"],
    ["a+ b+", "a+ b+ c+", "accepted"],
    ["a+", "a+ c~", "accepted"],
    ["a+ b+", "a+ b-", "failed b"],
    ["a+ b+", "a+ b~", "skipped b"],
    ["a+ b+", "a+", "missing b"],
    ["a+ b-", "a+ b-", "accepted"],
    ["a+ b-", "a+ b+", "accepted"],
    ["a+ b-", "a+ b~", "skipped b"],
    ["a+ b-", "a+", "missing b"],
    ["a+ b~", "a+ b~", "accepted"],
    ["a+ b~", "a+ b+", "accepted"],
    ["a+ b~", "a+ b-", "failed b"],
    ["a+ b~", "a+", "missing b"],
    ["a+", "a+ c-", "failed c"],
    ["a+", "x.js/a+", "missing a"],
    ["a+ b!", "a+ c+", "accepted"],
    ["a+ b!", "a+ b!", "accepted"],
    ["a+", "a+ b!", "failed b"],
    ["a+ b+", "", "empty; missing a b"],
    ["", "", "empty"],
    ["a+", "b!", "empty; failed b; missing a"],
    ["a~", "a~", "accepted"],
    ["a~", "", "empty; missing a"],
    ["a+", "a~", "empty; skipped a"],
    ["", "a~", "empty"],
    ["b!", "a~", "empty"],
  ])("base %j, now %j: %s", (base, now, expected) => check(base, now, expected));

  it.each([
    ["a+ a+", "a+ a+", "accepted"],
    ["a+ a+", "a+", "missing a"],
    ["a+ a-", "a- a+", "accepted"],
    ["a+ a-", "a+ a+", "accepted"],
    ["a+ a-", "a+ a+ a-", "accepted"],
    ["a+ a-", "a- a-", "failed a"],
    ["a+ a-", "a-", "missing a"],
    ["a- a-", "a+", "accepted"],
    ["a- a-", "a-", "missing a"],
    ["a+ a~", "a~ a~", "empty; skipped a"],
  ])("with the same name are told apart by number: base %j, now %j: %s", (base, now, expected) =>
    check(base, now, expected),
  );

  it.each([
    ["a+ b+", "a+ b-", "accepted"],
    ["a+ b+", "a+ b~", "skipped b"],
    ["a+ b+", "a+", "missing b"],
    ["a+ b~", "a+ b-", "failed b"],
    ["a+", "a+ b-", "failed b"],
    ["b+ b+", "b- b-", "failed b"],
  ])("may fail when they are flaky, but must run: base %j, now %j: %s", (base, now, expected) =>
    expect(outline(compare(base, now, { quarantined: ["b"] }))).toBe(expected),
  );

  it.each([
    ["a+ b+", "c+ d+", "accepted"],
    ["a+ b+", "c+ d+ e~", "accepted"],
    ["a+ b+", "c+", "fewer"],
    ["a+ b+", "a+ b+ c-", "more-failed"],
    ["a+ b-", "a+ c-", "accepted"],
    ["a+ b+", "", "empty; fewer"],
  ])("are only counted when the rule says so: base %j, now %j: %s", (base, now, expected) =>
    expect(outline(compare(base, now, { rule: "count" }))).toBe(expected),
  );

  it("may lack a flaky test in their number when they are counted", () => {
    expect(outline(compare("a+ b+", "a+ b-", { rule: "count", quarantined: ["b"] }))).toBe("accepted");
  });

  it("refuse nothing when they are free", () => {
    expect(outline(compare("a+ b+", "c-", { rule: "free" }))).toBe("accepted");
    expect(outline(compare("a+ b+", "", { rule: "free" }))).toBe("accepted");
  });

  it("are compared by number in a file whose names vary, and by name in all others", () => {
    const counted = [{ group: "x.js", passedMin: 2, failedMax: 0 }];
    expect(outline(compare("a+ x.js/p1+ x.js/p2+", "a+ x.js/p8+ x.js/p9+", { counted }))).toBe("accepted");
    expect(outline(compare("a+ x.js/p1+ x.js/p2+", "a+ x.js/p8+", { counted }))).toBe("fewer");
    expect(outline(compare("a+ x.js/p1+ x.js/p2+", "a+ x.js/p7+ x.js/p8+ x.js/p9-", { counted }))).toBe("more-failed");
    expect(outline(compare("a+ x.js/p1+ x.js/p2+", "x.js/p8+ x.js/p9+", { counted }))).toBe("missing a");
  });
});

describe("the lists of a comparison", () => {
  it("name what turned, what is new, what is worse and what is still red", () => {
    const found = compare("a+ b- c~ d+ e+ f- g+ h!", "a+ b+ c+ d- e~ f- i+ j~ k-");
    const names = (list: readonly TestCase[]): string => list.map(({ name }) => name).join("");
    expect({
      turned: names(found.turned),
      added: names(found.added),
      failed: names(found.failed),
      skipped: names(found.skipped),
      missing: names(found.missing),
      worse: names(found.worse),
      stillFailed: names(found.stillFailed),
    }).toEqual({
      turned: "bci",
      added: "ikj",
      failed: "dk",
      skipped: "e",
      missing: "g",
      worse: "deg",
      stillFailed: "f",
    });
    expect(found.counts).toEqual({ passed: 4, failed: 3, skipped: 2, missing: 1, added: 3 });
  });

  it("name a flaky test that failed", () => {
    const found = compare("a+ b+", "a+ b-", { quarantined: ["b"] });
    expect([found.excused.map(({ name }) => name), found.worse]).toEqual([["b"], []]);
  });
});

describe("a comparison", () => {
  const word = fc
    .tuple(fc.constantFrom("a", "b", "x.js/c"), fc.constantFrom("+", "-", "~", "!"))
    .map((parts) => parts.join(""));
  const words = fc.array(word, { maxLength: 6 });
  const more = fc.record({
    rule: fc.constantFrom("keep" as const, "count" as const),
    quarantined: fc.subarray(["a", "b"]),
    counted: fc.constantFrom<CountedGroup[]>([], [{ group: "x.js", passedMin: 1, failedMax: 0 }]),
  });

  it("never turns from a refusal to an acceptance when a green test is taken away", () => {
    fc.assert(
      fc.property(words, words, more, (base, now, options) => {
        const before = compare(base.join(" "), now.join(" "), options);
        const at = now.findIndex((each) => each.endsWith("+"));
        fc.pre(at !== -1 && !before.isAccepted);
        expect(compare(base.join(" "), now.toSpliced(at, 1).join(" "), options).isAccepted).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it("accepts a run that is like the base, unless nothing ran", () => {
    fc.assert(
      fc.property(words, more, (base, options) => {
        fc.pre(base.some((each) => each.endsWith("+") || each.endsWith("-")));
        const counted: CountedGroup[] = [];
        expect(compare(base.join(" "), base.join(" "), { ...options, counted }).isAccepted).toBe(true);
      }),
    );
  });
});
