import { expect, it } from "vitest";
import { findContentFaults } from "./file-content.ts";

it("finds settings of package managers that run or fetch something else (R-120)", () => {
  expect(findContentFaults("/w/.npmrc", "fund=false\nscript-shell=/tmp/x")).toMatchObject([{ category: 9 }]);
  expect(findContentFaults("/w/.npmrc", "registry=http://x.example/")).toMatchObject([{ category: 9 }]);
  expect(findContentFaults("/w/.npmrc", "registry=http://localhost:4873/")).toEqual([]);
  expect(findContentFaults("/w/notes.md", "script-shell=/tmp/x")).toEqual([]);
});

it("reads many blank lines without looking at each of them twice (R-125)", () => {
  expect(findContentFaults("/w/.npmrc", "\n".repeat(1024 * 1024))).toEqual([]);
});
