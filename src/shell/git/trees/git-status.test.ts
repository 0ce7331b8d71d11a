import { describe, expect, it } from "vitest";
import { parseStatus } from "./git-status.ts";

const change = (marks: string, path: string): string => `1 ${marks} N... 100644 100644 100644 aaa bbb ${path}`;

describe("the status of a work tree", () => {
  it("tells staged, unstaged and untracked paths apart, odd names included", () => {
    const text = [
      "# branch.oid c0ffee",
      "# branch.head main",
      change("M.", "staged one.txt"),
      change(".M", "unstaged.txt"),
      change("AM", "both.txt"),
      "2 R. N... 100644 100644 100644 aaa bbb R100 new name.txt",
      "1 old name.txt",
      "u UU N... 100644 100644 100644 100644 aaa bbb ccc conflict.txt",
      "? new\nline.txt",
      "",
    ].join("\0");
    expect(parseStatus(text)).toMatchObject({
      head: "c0ffee",
      staged: ["staged one.txt", "both.txt", "new name.txt", "conflict.txt"],
      unstaged: ["unstaged.txt", "both.txt", "conflict.txt"],
      untracked: ["new\nline.txt"],
    });
  });

  it("is another one with another commit, content or name, but not with another remote", () => {
    const print = (...entries: string[]): string => parseStatus(entries.join("\0")).fingerprint;
    const same = print("# branch.oid a", change("M.", "x"));
    expect(print("# branch.oid a", "# branch.ab +1 -0", change("M.", "x"))).toBe(same);
    expect(print("# branch.oid b", change("M.", "x"))).not.toBe(same);
    expect(print("# branch.oid a", change("MM", "x"))).not.toBe(same);
    expect(print("# branch.oid a", change("M.", "x"), "? y")).not.toBe(same);
  });
});
