import { describe, expect, it } from "vitest";
import { scanJson } from "./scan-json.ts";

describe("what is not JSON is named with its place and a remedy (S1-13)", () => {
  function check(text: string, place: string, sentence: string): void {
    expect(() => {
      JSON.parse(text);
    }).toThrow(SyntaxError);
    const { fault } = scanJson(text);
    expect(`${fault?.line}:${fault?.column}`).toBe(place);
    expect(fault?.sentence).toContain(sentence);
  }

  it.each([
    ["", "1:1", "the file is empty"],
    [" \n ", "1:1", "the file is empty"],
    ["{", "1:2", "the file ends before }"],
    ['{"a": 1', "1:8", "the file ends before }"],
    ['{"a":', "1:6", "the file ends too early"],
    ["[1, 2", "1:6", "the file ends before ]"],
    ['{\n  "a": 1,\n}', "2:9", "remove the comma before }"],
    ['{"a": [1,]}', "1:9", "remove the comma before ]"],
    ['{\n  "a": 1\n  "b": 2\n}', "3:3", 'a comma or } is missing before "b"'],
    ['{"a" 1}', "1:6", 'a colon is missing after "a", found 1'],
    ["{a: 1}", "1:2", "a key stands in double quotes, found a"],
    ["{'a': 1}", "1:2", "a key stands in double quotes, found 'a'"],
    ["{\"a\": 'b'}", "1:7", "found 'b'; texts stand in double quotes"],
    ['{"a": "b\n"}', "1:7", "a text is not closed"],
    [String.raw`{"a": "\x"}`, "1:7", "a text is not closed with a double quote, or holds"],
    ['{\n  // why\n  "a": 1\n}', "2:3", "JSON has no comments"],
    ['{"a": 1 /* why */}', "1:9", "JSON has no comments"],
    ['{"a": 01}', "1:7", "expected a value, found 01"],
    ['{"a": True}', "1:7", "expected a value, found True"],
    ["{} {}", "1:4", "nothing may follow the settings, found {"],
    ['{"a": }', "1:7", "expected a value, found }"],
  ])("in %j at %s", check);

  it("is nothing in what is JSON", () => {
    for (const text of ["{}", "[]", ' {"a": [1, -2.5e3, "x\\n", {"b": null}], "c": true} ', '"text"', "3"])
      expect(scanJson(text).fault).toBeNull();
  });

  it("is a nesting that no settings have, before the stack ends", () => {
    expect(scanJson("[".repeat(100_000)).fault?.sentence).toBe("it is nested too deep");
  });
});

describe("the line of a setting", () => {
  const text = `{
  "agent": { "command": "x",
    "flags": [
      "a", "b",
      "c"
    ] },
  "guardrails": [
    { "command": "make" }
  ],
  "a\\"b": 1,
  "twice": 1,
  "twice": 2
}`;

  it.each<[PropertyKey[], number | null]>([
    [["agent"], 2],
    [["agent", "command"], 2],
    [["agent", "flags"], 3],
    [["agent", "flags", 1], 4],
    [["agent", "flags", 2], 5],
    [["guardrails", 0, "command"], 8],
    [['a"b'], 10],
    [["twice"], 12],
    [["command"], null],
    [["guardrails", 1], null],
  ])("%j is %j", (path, line) => expect(scanJson(text).lineOf(path)).toBe(line));
});
