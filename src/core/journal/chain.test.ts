import { describe, expect, it } from "vitest";
import { type ChainCheck, type ChainLink, chainName, chainStart, endChain, followChain, linkHash } from "./chain.ts";

/** Any function of the text will do here; the stores use SHA-256. */
const sha256 = (text: string): string => `<${text.length}:${text}>`;

type Unhashed = Omit<ChainLink, "hash">;
const entry = (seq: number, body: Record<string, unknown> = { text: `entry ${seq}` }): Unhashed => ({
  runId: "a",
  seq,
  at: 100 + seq,
  kind: "note",
  version: 2,
  body,
});

/** A chain of these entries after a hash. */
function chained(entries: Unhashed[], start = ""): ChainLink[] {
  return entries.reduce<ChainLink[]>((links, each) => {
    const hash = linkHash(links.at(-1)?.hash ?? start, each, sha256);
    return [...links, { ...each, hash }];
  }, []);
}

const links = chained([entry(1), entry(2), entry(3)]);
const head = links.at(-1)?.hash ?? null;

function check(changed: ChainLink[], expected: ChainCheck, end = head): void {
  const pageOf = (link: ChainLink): ChainLink[] => [link];
  for (const pages of [[changed], changed.map(pageOf)]) {
    const walk = pages.reduce((last, page) => followChain(last, page, sha256), chainStart);
    expect(endChain(walk, end)).toEqual(expected);
  }
}

const at = (seq: number, problem: string) => ({ isIntact: false as const, seq, problem });

describe("a chain of journal entries", () => {
  it("is intact as it was written", () => {
    check(links, { isIntact: true, entries: 3, unhashed: 0 });
    check([], { isIntact: true, entries: 0, unhashed: 0 }, null);
  });

  it("shows a changed entry, also when its own hash was made to fit", () => {
    const forged = entry(2, { text: "forged" });
    const changed = "it was changed, or what comes before it was";
    check([links[0]!, { ...links[1]!, body: forged.body }, links[2]!], at(2, changed));
    const fitting = { ...forged, hash: linkHash(links[0]?.hash ?? "", forged, sha256) };
    check([links[0]!, fitting, links[2]!], at(3, changed));
  });

  it("shows an entry that is gone, the last one too, and two that changed places", () => {
    check([links[0]!, links[2]!], at(2, "it is missing"));
    check(links.slice(1), at(1, "it is missing"));
    check(links.slice(0, 2), at(3, "it is missing: the run remembers another end"));
    check([links[1]!, links[0]!, links[2]!], at(1, "it is missing"));
    check(
      [{ ...links[1]!, seq: 1 }, { ...links[0]!, seq: 2 }, links[2]!],
      at(1, "it was changed, or what comes before it was"),
    );
  });

  it("shows what cannot be read and what lost its hash", () => {
    check([links[0]!, { ...links[1]!, body: null }, links[2]!], at(2, "it is not readable"));
    check([links[0]!, { ...links[1]!, hash: null }, links[2]!], at(2, "it has no hash"));
  });

  describe("after entries without hashes", () => {
    const old = [entry(1), entry(2)].map((each) => ({ ...each, hash: null }));
    const start = entry(3, { text: "upgraded", previousChain: { seq: 2, hash: chainName(old, sha256) } });
    const second = chained([start, entry(4)]);
    const end = second.at(-1)?.hash ?? null;

    it("is a second one that names the first", () =>
      check([...old, ...second], { isIntact: true, entries: 4, unhashed: 2 }, end));

    it("shows that an old entry was changed since", () =>
      check([{ ...old[0]!, at: 5 }, old[1]!, ...second], at(3, "the entries before it were changed"), end));

    it("shows an upgrade that names nothing", () =>
      check([...old, ...chained([entry(3)])], at(3, "it names no chain before it"), end));

    it("needs no hash while no entry has one", () => check(old, { isIntact: true, entries: 2, unhashed: 2 }, null));
  });

  it("may start again after entries with hashes, too", () => {
    const start = entry(4, { text: "upgraded", previousChain: { seq: 3, hash: head } });
    const again = [...links, ...chained([start])];
    check(again, { isIntact: true, entries: 4, unhashed: 0 }, again.at(-1)?.hash ?? null);
    const other = [...links, ...chained([entry(4, { text: "upgraded", previousChain: { seq: 3, hash: "x" } })])];
    check(other, at(4, "the entries before it were changed"), other.at(-1)?.hash ?? null);
  });
});

it("takes the hash of what a run was started with from the first entry of a chain alone", () => {
  const told = (seq: number, frozenHash: unknown): Unhashed => entry(seq, { frozenHash });
  const walk = (entries: Unhashed[]) => followChain(chainStart, chained(entries), sha256).frozenHash;
  expect(walk([entry(1), entry(2)])).toBeNull();
  expect(walk([told(1, "one"), told(2, "two")])).toBe("one");
  expect(walk([told(1, 7)])).toBeNull();
  const first = chained([told(1, "one")]);
  const previousChain = { seq: 1, hash: first[0]?.hash };
  const second = chained([entry(2, { frozenHash: "two", previousChain })]);
  expect(followChain(chainStart, [...first, ...second], sha256).frozenHash).toBe("two");
});
