import { expect, it } from "vitest";
import { sedWrites } from "./sed-writes.ts";

function check(line: string, expected: string[]): void {
  it(`finds ${JSON.stringify(expected)} in ${line}`, () => expect(sedWrites(line)).toEqual(expected));
}

check("w out", ["out"]);
check("  1,5w out", ["out"]);
check("/a b/!{ W out", ["out"]);
check("s/a/b/w out", ["out"]);
check("s/a/b/gIw out", ["out"]);
check("0~3s|a|b|2w /etc/x", ["/etc/x"]);
check("sxaxbxw out", ["out"]);
check("s/how to/now do/", []);
check("s/a/b w c/", []);
check("p", []);

it("takes time that grows with the length of a line (S4-89)", () => {
  const startedMs = performance.now();
  for (const piece of ["s", " ", "/", "w ", "s/", "s/a/b/w x ", "\\", "1,"]) sedWrites(piece.repeat(100_000));
  // A second for two million characters; a cubic rule takes five for one thousand.
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});
