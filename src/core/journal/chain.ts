import { canonicalJson } from "../text/canonical-json.ts";

/** SHA-256 of a text in UTF-8, as hexadecimal digits. Given from outside: core knows no module of Node. */
export type Sha256 = (text: string) => string;

/** A journal entry as it is stored and hashed. `body` is parsed, or null when it is not JSON any more. */
export type ChainLink = {
  runId: string;
  seq: number;
  at: number;
  kind: string;
  version: number;
  body: Record<string, unknown> | null;
  /** Null: a version without hashes wrote it. */
  hash: string | null;
};

/** What the first entry of a second chain says of the first one. */
export type PreviousChain = { seq: number; hash: string };

/** What a check found: how much the chain covers, or the entry at which it is broken. */
export type ChainCheck =
  | { isIntact: true; entries: number; unhashed: number }
  | { isIntact: false; seq: number; problem: string };

/** The hash of an entry: over the hash before it and the entry's canonical JSON. A chain begins with an empty hash. */
export function linkHash(previous: string, link: Omit<ChainLink, "hash">, sha256: Sha256): string {
  const { runId, seq, at, kind, version, body } = link;
  return sha256(`${previous}\n${canonicalJson({ runId, seq, at, kind, version, body })}`);
}

/** The name of a chain that has no hashes of its own: the hash that its last entry would have. */
export function chainName(links: readonly Omit<ChainLink, "hash">[], sha256: Sha256): string {
  return links.reduce((previous, link) => linkHash(previous, link, sha256), "");
}

/** Follows all chains of a run from its first entry. `head` is the hash of the last one, as the run remembers it. */
export function checkChain(links: readonly ChainLink[], head: string | null, sha256: Sha256): ChainCheck {
  let previous = "";
  let unhashed = 0;
  for (const [index, link] of links.entries()) {
    const seq = index + 1;
    if (link.seq !== seq) return { isIntact: false, seq, problem: "it is missing" };
    if (link.body === null) return { isIntact: false, seq, problem: "it is not readable" };
    if (link.hash === null) {
      if (unhashed < index) return { isIntact: false, seq, problem: "it has no hash" };
      unhashed += 1;
    }
    const problem =
      link.hash === null ? null : linkProblem(link, { previous, isFirstHashed: unhashed === index, sha256 });
    if (problem !== null) return { isIntact: false, seq, problem };
    previous = link.hash ?? linkHash(previous, link, sha256);
  }
  const last = unhashed === links.length ? null : previous;
  if (last !== head)
    return { isIntact: false, seq: links.length + 1, problem: "it is missing: the run remembers another end" };
  const gap = links.find(({ body }) => body?.["isGap"] === true);
  if (gap !== undefined)
    return { isIntact: false, seq: gap.seq, problem: "it names lines of the session that do not fold" };
  return { isIntact: true, entries: links.length, unhashed };
}

type Place = { previous: string; isFirstHashed: boolean; sha256: Sha256 };

function linkProblem(link: ChainLink, { previous, isFirstHashed, sha256 }: Place): string | null {
  const before = link.body?.["previousChain"];
  if (before === undefined) {
    if (isFirstHashed && link.seq > 1) return "it names no chain before it";
    return linkHash(previous, link, sha256) === link.hash ? null : "it was changed, or what comes before it was";
  }
  const isNamed = canonicalJson(before) === canonicalJson({ seq: link.seq - 1, hash: previous });
  if (!isNamed) return "the entries before it were changed";
  return linkHash("", link, sha256) === link.hash ? null : "it was changed";
}
