import { describe, expect, it } from "vitest";
import { type KeyPath, readMember, removeMember, setMember } from "./edit-json.ts";

type Row = [text: string, path: KeyPath, value: unknown, expected: string];

describe("a member is set and nothing else changes", () => {
  it.each<Row>([
    ["{}", ["a"], 1, '{\n  "a": 1\n}'],
    ["{}\n", ["a", "b"], true, '{\n  "a": {\n    "b": true\n  }\n}\n'],
    ['{\n    "z": [1, 2],\n    "a": {}\n}', ["a", "x"], 1, '{\n    "z": [1, 2],\n    "a": {\n        "x": 1\n    }\n}'],
    ['{\n\t"z": {"k":1}\n}\n', ["z", "n"], [1], '{\n\t"z": {"k":1, "n": [1]}\n}\n'],
    ['{\r\n  "a": 1\r\n}\r\n', ["b"], { c: 1 }, '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 1\r\n  }\r\n}\r\n'],
    ['{"a":"}\\"{,", "b" : null}', ["c"], 2, '{"a":"}\\"{,", "b" : null, "c": 2}'],
    ['{\n  "a": [{"b": "]"}],\n  "c": -1.5e3 }', ["d"], "x", '{\n  "a": [{"b": "]"}],\n  "c": -1.5e3,\n  "d": "x" }'],
    ['{\n  "a": {\n    "b": false\n  }\n}', ["a", "b"], true, '{\n  "a": {\n    "b": true\n  }\n}'],
  ])("in %j at %j", (text, path, value, expected) => {
    const set = setMember(text, path, value);
    expect(set).toBe(expected);
    expect(readMember(set ?? "", path)).toEqual(value);
  });

  it.each<[text: string, path: KeyPath]>([
    ['{\n  "a": 1\n}\n', ["b"]],
    ['{\n    "z": {\n        "k": 1\n    },\n    "y": [ 1,2 ]\n}', ["z", "n"]],
    ['{"a":{"b":1}}', ["a", "c"]],
    ["{}\n", ["a"]],
    ['{\r\n\t"a": "é"\r\n}', ["b"]],
  ])("and removing it gives back the very same bytes: %j", (text, path) => {
    expect(removeMember(setMember(text, path, { deep: [1] }) ?? "", path)).toBe(text);
  });

  it("between others is removed with its comma only", () => {
    expect(removeMember('{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', ["b"])).toBe('{\n  "a": 1,\n  "c": 3\n}');
    expect(removeMember('{\n  "a": 1,\n  "b": 2\n}', ["a"])).toBe('{\n  "b": 2\n}');
  });

  it.each<[text: string, path: KeyPath]>([
    ["", ["a"]],
    ["[]", ["a"]],
    ['{ "a": 1, // why\n}', ["a"]],
    ['{"a": 1}', ["a", "b"]],
  ])("in no way where that is impossible: %j", (text, path) => {
    expect([setMember(text, path, 1), removeMember(text, [path[0], "missing"])]).toEqual([null, null]);
  });
});
