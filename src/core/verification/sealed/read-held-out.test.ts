import { expect, it } from "vitest";
import { readHeldOut } from "./read-held-out.ts";

it("reads checks, with what is left out as empty", () => {
  expect(readHeldOut([{ name: "edges", command: "sh x" }])).toEqual({
    checks: [{ name: "edges", command: "sh x", files: [], hint: null, tasks: [] }],
  });
  expect(readHeldOut([{ name: "a", command: "b", files: ["/x"], hint: " Look. ", tasks: ["t"] }])).toEqual({
    checks: [{ name: "a", command: "b", files: ["/x"], hint: "Look.", tasks: ["t"] }],
  });
  expect(readHeldOut(null)).toEqual({ checks: [] });
});

it.each([
  ["no list", { name: "a" }, "a list of checks is expected"],
  ["no object", ["a"], "check 1: an object"],
  ["no name", [{ command: "x" }], "check 1: name must be"],
  ["a name of two lines", [{ name: "a\nb", command: "x" }], "check 1: name must be"],
  ["no command", [{ name: "a", command: " " }], "check 1: command must be"],
  ["a wrong key", [{ name: "a", command: "x", file: [] }], 'unknown key "file"'],
  ["files that are no list", [{ name: "a", command: "x", files: "y" }], "files must be"],
  ["a hint that is no text", [{ name: "a", command: "x", hint: 1 }], "hint must be"],
  ["tasks that are no list", [{ name: "a", command: "x", tasks: "y" }], "tasks must be"],
  [
    "a name twice",
    [
      { name: "a", command: "x" },
      { name: "a", command: "y" },
    ],
    'two checks are named "a"',
  ],
])("names the problem of %s", (_, value, words) => {
  const read = readHeldOut(value);
  expect("problems" in read ? read.problems.join(" ") : "").toContain(words);
});
