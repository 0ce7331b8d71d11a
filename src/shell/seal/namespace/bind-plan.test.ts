import { describe, expect, it } from "vitest";
import { planBinds } from "./bind-plan.ts";
import { isInside, programFolders } from "./namespace.ts";

/** Paths; a read-only one has `!` at its end, a link `@`. */
function check(text: string, readOnly: string, pinned: string, max?: number): void {
  const files = text.split(" ").map((word) => ({
    path: word.replace(/[!@]+$/, ""),
    mode: word.includes("@") ? "120000" : "100644",
    isReadOnly: word.includes("!"),
  }));
  const plan = planBinds(files, max === undefined ? {} : { max });
  expect([plan.readOnly.join(" "), plan.pinned.join(" ")]).toEqual([readOnly, pinned]);
}

describe("the plan of read-only mounts", () => {
  it("takes a folder as a whole when all of it is protected", () => {
    check("tests/a! tests/deep/b! src/c", "tests", "");
    check("a/tests/x! a/tests/y! a/src/z", "a/tests", "a");
  });

  it("takes single files beside code, and pins the folders above them", () => {
    check("src/deep/a.test.js! src/deep/a.js", "src/deep/a.test.js", "src src/deep");
    check("package.json! src/a", "package.json", "");
  });

  it("leaves out links, and a folder with a writable file", () => {
    check("tests/a! tests/link@! tests/out", "tests/a", "tests");
  });

  it("makes folders with most single files read-only as a whole above the limit, but never the top", () => {
    check("s/a! s/b! s/c! s/code t/d! t/code", "t/d s", "t", 2);
    check("a! b! c! d", "a b c", "", 2);
  });
});

describe("what a suite makes beside its tests", () => {
  const files = ["tests/a", "tests/deep/b"].map((path) => ({ path, mode: "100644", isReadOnly: true }));
  const planOf = (...writable: string[]): string => {
    const { readOnly, filled } = planBinds(files, { writable });
    return `${readOnly.join(" ")} / ${filled.join(" ")}`;
  };

  it("is a folder of its own where the rest stays read-only, and a file opens its folder", () => {
    expect(planOf("tests/out")).toBe("tests / tests/out");
    expect(planOf("tests/deep/out")).toBe("tests / tests/deep/out");
    expect(planOf("tests/out.xml")).toBe("tests/a tests/deep / ");
  });

  it("is nothing for names anywhere, wildcards, files that are there and folders that can be written anyway", () => {
    expect(planOf("out", "tests/*/x", "tests/a", "src/out")).toBe("tests / ");
  });
});

describe("folders of programs", () => {
  const [home, hidden] = ["/home/me", ["/home/me/project", "/home/me/.local/state/ralph"]];

  it("are shown with the libraries beside them, and never with what is hidden", () => {
    const folders = [
      "/tools/node/bin",
      "/home/me/bin",
      "/home/me/.cargo/bin",
      "/usr/local/bin",
      "/home/me",
      "/home/bin",
      "/bin",
      "/home/me/project/bin",
    ];
    const files = ["/tools/python/bin/python3.11"];
    expect(programFolders({ folders, files, home, hidden })).toEqual([
      "/tools/node",
      "/home/me/bin",
      "/home/me/.cargo/bin",
      "/home/bin",
      "/tools/python",
    ]);
  });

  it("are told apart by whole names", () => {
    expect([isInside("/a/b", "/a"), isInside("/ab", "/a"), isInside("/a/..b", "/a"), isInside("/a", "/a")]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});
