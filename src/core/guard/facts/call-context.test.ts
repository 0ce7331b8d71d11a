import { expect, it } from "vitest";
import { isBelow, isOwn, isSystemPath, isWithin, resolvePath, tempFolders, type CallContext } from "./call-context.ts";

const place: CallContext = {
  workTree: "/w/t",
  home: "/home/ada",
  tempFolder: "/scratch",
  cwd: "/w/t",
  store: "/s",
  allow: [],
};

it.each([
  ["a/../b", "/w/t/b"],
  ["../../../..", "/"],
  ["//a//./b/", "/a/b"],
  ["/proc/self/./root", "/"],
  ["/private/tmp/x", "/tmp/x"],
  [".", "/w/t"],
])("resolves %s to %s (R-123)", (path, expected) => {
  expect(resolvePath(path, place.cwd)).toBe(expected);
});

it("knows what is one's own: the work tree's content and named places for what may be lost (S4-89)", () => {
  const own = ["/w/t/a", "/scratch/a", "/tmp/a/b", "/w/t", "/w/tt", "/scratch", "/tmp/*", "/home/ada/a"];
  expect(own.map((path) => isOwn(path, place))).toEqual([true, true, true, false, false, false, false, false]);
  expect([isBelow("/a/b", "/a"), isBelow("/a", "/a"), isWithin("/a", "/a"), isWithin("/ab", "/a")]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([isSystemPath("/"), isSystemPath("/usr/x"), isSystemPath("/users/x"), isSystemPath("/cache")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(tempFolders(place)).toContain("/scratch");
});
