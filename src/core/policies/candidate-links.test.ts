import { describe, expect, it } from "vitest";
import { leadsToCandidate } from "./candidate-links.ts";

/** A candidate with `a.txt` and `src/b.txt`, beside `.git/x` and `ignored/x`, and these links; `!` before one: no part of it. */
function check(links: Readonly<Record<string, string>>, path: string): boolean {
  const linkOf = new Map(Object.entries(links).map(([name, target]) => [name.replace("!", ""), target]));
  const held = ["a.txt", "src/b.txt", ...Object.keys(links).filter((name) => !name.startsWith("!"))];
  const there = [...held, ".git/x", "ignored/x", ...linkOf.keys()];
  const isAmong = (paths: readonly string[], name: string): boolean =>
    paths.some((one) => one === name || one.startsWith(`${name}/`));
  return leadsToCandidate(
    {
      linkAt: (name) => linkOf.get(name) ?? null,
      holds: (name) => isAmong(held, name),
      isThere: (name) => isAmong(there, name),
    },
    path,
  );
}

describe("a link of the candidate", () => {
  it.each<[string, Record<string, string>]>([
    ["a file", { link: "a.txt" }],
    ["a folder", { link: "./src/" }],
    ["a file above it", { "src/link": "../a.txt" }],
    ["another link of it", { link: "src/next", "src/next": "b.txt" }],
    ["a file behind a linked folder", { link: "next/b.txt", next: "src" }],
    ["its own top", { link: "src/.." }],
    ["nothing", { link: "nobody/none" }],
    ["itself", { link: "link" }],
  ])("may lead to %s", (_, links) =>
    expect(check(links, Object.keys(links).find((name) => name.endsWith("link")) ?? "")).toBe(true),
  );

  it.each<[string, Record<string, string>]>([
    ["what git keeps", { link: ".git/x" }],
    ["a folder that is not part of it", { link: "ignored" }],
    ["an absolute path", { link: "/tmp/x" }],
    ["a place above the work tree", { link: "../a.txt" }],
    ["a link that is not part of it", { link: "next", "!next": "a.txt" }],
    ["a chain that ends outside", { link: "next", next: "ignored/x" }],
  ])("must lead to something that a checkout has, not to %s", (_, links) => expect(check(links, "link")).toBe(false));

  it("must lead to something that a checkout has, for each path below it", () => {
    expect(check({ link: "src" }, "link/b.txt")).toBe(true);
    expect(check({ link: "ignored", "ignored/kept": "x" }, "link/x")).toBe(false);
    expect(check({ link: "src" }, "link/none")).toBe(true);
  });
});
