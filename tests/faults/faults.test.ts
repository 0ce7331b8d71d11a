import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mayConcern, readTestFiles } from "../../scripts/test-files.ts";
import { isConcerned, parseFault, plantFault, type Fault } from "../../scripts/fault.ts";

const root = join(import.meta.dirname, "../..");
const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".json"));

describe("the faults of this repository", () => {
  it("can all be planted: each names one line that is there exactly once", () => {
    for (const name of names) {
      const fault = parseFault(name, readFileSync(join(import.meta.dirname, name), "utf8"));
      const text = readFileSync(join(root, fault.file), "utf8");
      expect(plantFault(fault, text)).not.toBe(text);
    }
  });

  it("have a test file each that can hold a test which names what is broken", () => {
    const files = readTestFiles(root);
    const faults = names.map((name) => parseFault(name, readFileSync(join(import.meta.dirname, name), "utf8")));
    const isNamed = (fault: Fault): boolean =>
      files.some((file) => mayConcern(fault, file) && isInPlace(fault, file.path));
    expect(faults.filter((fault) => !isNamed(fault)).map(({ name }) => name)).toEqual([]);
  });

  it("are named by a number and what they break", () => {
    expect(names.filter((name) => !/^\d{3,4}-[a-z0-9-]+\.json$/.test(name))).toEqual([]);
  });
});

/** Whether a file lies where the fault looks for its tests; words of a title do not begin with a folder. */
function isInPlace({ tests }: Fault, path: string): boolean {
  return tests?.some((filter) => path.includes(filter) || !/^(?:src|tests)\//.test(filter)) ?? true;
}

describe("a fault file", () => {
  it.each([
    ["{", /JSON/],
    ["[]", /"breaks" must be a string/],
    [write({ breaks: "" }), /must not be empty/],
    [write({ find: "" }), /must not be empty/],
    [write({ find: "two\nlines" }), /one line/],
    [write({ replace: "two\nlines" }), /one line/],
    [write({ replace: "before" }), /changes nothing/],
    [write({ tests: "src" }), /"tests" must be a list/],
    [write({ tests: [] }), /"tests" must be a list/],
    [write({ test: ["src"] }), /unknown field "test"/],
    [
      `{"breaks":"R-06","duty":"rule","file":"a","find":"before","replace":"after"}`,
      /"duty" must be one of process, file/,
    ],
  ])("is refused with its reason: row %#", (text, reason) => {
    expect(() => parseFault("001-x.json", text)).toThrow(reason);
  });

  it("is planted where its text stands once, and nowhere else", () => {
    const fault = parseFault("001-x.json", write({ replace: "$& after" }));
    expect(plantFault(fault, "a before b")).toBe("a $& after b");
    expect(() => plantFault(fault, "nothing")).toThrow("occurs 0 times");
    expect(() => plantFault(fault, "before before")).toThrow("occurs 2 times");
  });

  it.each([
    [{ breaks: "R-06" }, "finds a tag (R-05..07)", true],
    [{ breaks: "R-06" }, "finds a tag (R-060)", false],
    [{ breaks: "R-06" }, "finds a tag", false],
    [{ breaks: "one turn alive" }, "keeps at most one turn alive", true],
    [{ breaks: "one turn alive" }, "keeps every turn alive", false],
    [{ breaks: "R-06", tests: ["src/core"] }, "finds a tag (R-06)", true],
    [{ breaks: "R-06", tests: ["finds"] }, "finds a tag (R-06)", true],
    [{ breaks: "R-06", tests: ["src/shell", "loses"] }, "finds a tag (R-06)", false],
  ])("concerns the tests that name what it breaks: row %#", (fields, title, expected) => {
    const fault = parseFault("001-x.json", write(fields));
    expect(isConcerned(fault, { file: "src/core/a.test.ts", name: title })).toBe(expected);
  });
});

describe("the files that a fault's tests can be in", () => {
  const file = { path: "src/core/a.test.ts", text: 'it("finds R-05..07")', ids: new Set(["R-05", "R-06", "R-07"]) };

  it.each([
    [{ breaks: "R-06" }, true],
    [{ breaks: "R-08" }, false],
    [{ breaks: "R-06", tests: ["src/core"] }, true],
    [{ breaks: "R-06", tests: ["finds"] }, true],
    [{ breaks: "R-06", tests: ["src/shell"] }, false],
    [{ breaks: "words of a row", tests: ["src/core"] }, true],
    [{ breaks: "words of a row" }, false],
    [{ breaks: "finds" }, true],
  ])("are those whose text names it: row %#", (fields, expected) => {
    const fault = parseFault("001-x.json", write(fields));
    expect(mayConcern(fault, { ...file, usesBundle: false })).toBe(expected);
  });

  it("count with their helpers, which can define tests and start the built program", () => {
    const files = readTestFiles(root);
    const find = (path: string) => files.find((found) => found.path === path);
    expect(find("tests/contract/store-memory.test.ts")?.text).toContain("export function");
    expect(find("tests/run/budgets.test.ts")?.usesBundle).toBe(true);
    expect(find("tests/properties/engine.test.ts")?.usesBundle).toBe(false);
  });
});

function write(fields: Omit<Partial<Fault>, "tests"> & { tests?: string | string[]; test?: string[] }): string {
  return JSON.stringify({ breaks: "R-06", file: "src/a.ts", find: "before", replace: "after", ...fields });
}
