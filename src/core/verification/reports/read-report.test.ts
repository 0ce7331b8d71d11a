import { describe, expect, it } from "vitest";
import { readReport, readReports } from "./read-report.ts";

const junit = (file: string, name = "n"): string => `<testsuite><testcase name="${name}" file="${file}"/></testsuite>`;

describe("the file of a test", () => {
  it.each([
    ["/copy/p/test/a.js", "test/a.js"],
    ["file:///copy/p/test/a.js", "test/a.js"],
    ["./test/a.js", "test/a.js"],
    ["test\\a.js", "test/a.js"],
    ["test/a.js", "test/a.js"],
    ["/elsewhere/a.js", "/elsewhere/a.js"],
  ])("%s is %s in the project", (file, expected) => {
    expect(readReport("junit", junit(file), { folder: "/copy/p" })).toEqual({
      isReadable: true,
      tests: [{ file: expected, suite: "", name: "n", status: "passed" }],
    });
  });
});

describe("the identity of a test", () => {
  it("is the same wherever the suite ran", () => {
    const read = (folder: string): unknown =>
      readReport("junit", junit(`${folder}/a.js`, `loads ${folder}/data/x.json`), { folder });
    expect(read("/copy/one")).toEqual(read("/copy/two"));
  });
});

describe("several reports of one run", () => {
  const place = { folder: "/project" };

  it("are read as one", () => {
    const content = readReports("junit", [junit("a.js"), junit("b.js")], place);
    expect(content.isReadable && content.tests.map(({ file }) => file)).toEqual(["a.js", "b.js"]);
  });

  it("are not readable when one of them is not", () => {
    expect(readReports("junit", [junit("a.js"), "<testsuite>"], place)).toEqual({
      isReadable: false,
      problem: "ends too early",
    });
  });

  it("of which there is none are readable and empty", () =>
    expect(readReports("junit", [], place)).toEqual({ isReadable: true, tests: [] }));
});

describe("a huge report", () => {
  it("is refused by its length", () => {
    const content = readReport("junit", " ".repeat(64 * 1024 * 1024 + 1), { folder: "/project" });
    expect(content).toEqual({ isReadable: false, problem: "is longer than 67108864 characters" });
  });

  it("is refused by its number of tests", () => {
    const text = `1..200001\n${"ok 1\n".repeat(200_001)}`;
    expect(readReport("tap", text, { folder: "/project" })).toEqual({
      isReadable: false,
      problem: "names more than 200000 tests",
    });
  });
});
