import { expect, it } from "vitest";
import { fileAccessesIn, writtenTexts } from "./file-accesses.ts";

it("takes what a tool does from its name, or from the action it is asked for (R-123)", () => {
  const accessOf = (tool: string, input: object): string[] =>
    fileAccessesIn(tool, { path: "a", ...input }).map(({ access }) => access);
  expect(accessOf("mcp__fs__write_file", {})).toEqual(["write"]);
  expect(accessOf("mcp__fs__readText", {})).toEqual(["read"]);
  expect(accessOf("mcp__fs__edit", { command: "view" })).toEqual(["read"]);
  expect(accessOf("mcp__fs__file", { content: "x" })).toEqual(["write"]);
  expect(accessOf("mcp__fs__file", {})).toEqual([]);
});

it("reads and removes what is moved, and only reads what is copied (R-123)", () => {
  const input = { source: "a", destination: "b" };
  const moved = fileAccessesIn("move", input).map(({ path, access }) => `${access} ${path}`);
  const copied = fileAccessesIn("copy", input).map(({ path, access }) => `${access} ${path}`);
  expect(moved).toEqual(["read a", "write a", "write b"]);
  expect(copied).toEqual(["read a", "write b"]);
});

it("finds texts in lists of edits, and nothing in what is nested without end (R-125)", () => {
  const nested = (depth: number): unknown => (depth === 0 ? { text: "x" } : { inner: nested(depth - 1) });
  expect(writtenTexts({ edits: [{ old_string: "a", new_string: "b" }] })).toEqual(["b"]);
  expect(writtenTexts(nested(4))).toEqual(["x"]);
  expect(writtenTexts(nested(40))).toEqual([]);
});
