import { expect, it } from "vitest";
import { terminalColumns } from "./terminal-columns.ts";

it.each([
  [{ columns: 0 }, 80],
  [{}, 80],
  [{ columns: 1 }, 1],
  [{ columns: 140 }, 140],
])("a terminal that says %o is %d columns wide (S1-77)", (terminal, expected) => {
  expect(terminalColumns(terminal)).toBe(expected);
});
