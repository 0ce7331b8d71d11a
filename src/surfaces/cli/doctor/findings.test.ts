import { describe, expect, it } from "vitest";
import { findNode } from "./find-node.ts";
import { findTerminal, type Terminal } from "./find-terminal.ts";

describe("the Node of this program", () => {
  it.each([
    ["22.18.0", "ok"],
    ["24.0.0", "ok"],
    ["22.17.9", "broken"],
    ["20.19.0", "broken"],
  ])("%s is %s", (version, state) => expect(findNode(version).state).toBe(state));
});

describe("the terminal", () => {
  const utf8 = { LANG: "C.UTF-8" };
  const wide: Terminal = { isTTY: true, columns: 80 };

  function check(terminal: Terminal, env: Record<string, string>, text: string, state: string): void {
    expect(findTerminal(terminal, env)).toMatchObject({ text, state });
  }

  it("tells columns, colours and letters", () => {
    check(wide, utf8, "80 columns, colours, UTF-8", "ok");
    check(wide, { ...utf8, NO_COLOR: "1" }, "80 columns, no colours, UTF-8", "ok");
    check({ isTTY: false }, utf8, "none, output is plain, no colours, UTF-8", "ok");
  });

  it("warns where it is narrow or has other letters; the first locale that is set counts", () => {
    check({ isTTY: true, columns: 40 }, utf8, "40 columns, colours, UTF-8", "warn");
    check(wide, { LC_ALL: "C", LANG: "C.UTF-8" }, "80 columns, colours, C, not UTF-8", "warn");
    check(wide, {}, "80 columns, colours, no locale, not UTF-8", "warn");
  });
});
