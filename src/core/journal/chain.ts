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

/**
 * Entries of a journal as they are stored; `head` is the hash of its last entry, read first; null when no entry has one.
 * `frozenHash`, read first too, is that of what the run was started with, as it is stored now.
 */
export type JournalChain = { links: ChainLink[]; head: string | null; frozenHash: string };

/** What the first entry of a second chain says of the first one. */
export type PreviousChain = { seq: number; hash: string };

/**
 * What the first entry of a chain has in its body beside its own news: the chain before it, and the hash of what the run was
 * started with. Runs of versions before it have no such hash.
 */
export type ChainOpening = { previousChain?: PreviousChain; frozenHash: string };

/** What a check found: how much the chain covers, or the entry at which it is broken. */
export type ChainCheck =
  | { isIntact: true; entries: number; unhashed: number }
  | { isIntact: false; seq: number; problem: string };

/** The hash of an entry: over the hash before it and the entry's canonical JSON. A chain begins with an empty hash. */
export function linkHash(previous: string, link: Omit<ChainLink, "hash">, sha256: Sha256): string {
  const { runId, seq, at, kind, version, body } = link;
  return sha256(`${previous}\n${canonicalJson({ runId, seq, at, kind, version, body })}`);
}

/** The hash of what a run was started with, of the value as it is stored. */
export function hashFrozen(frozen: unknown, sha256: Sha256): string {
  return sha256(canonicalJson(frozen));
}

/** The name of a chain that has no hashes of its own: the hash that its last entry would have. */
export function chainName(links: readonly Omit<ChainLink, "hash">[], sha256: Sha256): string {
  return links.reduce((previous, link) => linkHash(previous, link, sha256), "");
}

/** How far the chains of a run were followed. `previous` is the hash of the last entry, by which the next one is checked. */
export type ChainWalk = {
  seq: number;
  previous: string;
  unhashed: number;
  /** The entry that names lines of a session which do not fold. */
  gapSeq: number | null;
  /** The hash of what the run was started with, as the last chain begins with it; null: it names none. */
  frozenHash: string | null;
  broken: (ChainCheck & { isIntact: false }) | null;
};

/** Before the first entry. */
export const chainStart: ChainWalk = {
  seq: 0,
  previous: "",
  unhashed: 0,
  gapSeq: null,
  frozenHash: null,
  broken: null,
};

/** Follows the chains of a run through the next entries, in any number of pages. */
export function followChain(walk: ChainWalk, links: readonly ChainLink[], sha256: Sha256): ChainWalk {
  return links.reduce((last, link) => (last.broken === null ? followLink(last, link, sha256) : last), walk);
}

/** What the whole walk found. `head` is the hash of the last entry, as the run remembers it. */
export function endChain({ seq, previous, unhashed, gapSeq, broken }: ChainWalk, head: string | null): ChainCheck {
  if (broken !== null) return broken;
  const last = unhashed === seq ? null : previous;
  if (last !== head) return { isIntact: false, seq: seq + 1, problem: "it is missing: the run remembers another end" };
  if (gapSeq !== null)
    return { isIntact: false, seq: gapSeq, problem: "it names lines of the session that do not fold" };
  return { isIntact: true, entries: seq, unhashed };
}

function followLink(walk: ChainWalk, link: ChainLink, sha256: Sha256): ChainWalk {
  const { previous, unhashed } = walk;
  const seq = walk.seq + 1;
  const isFirstHashed = unhashed === walk.seq;
  const problem = linkProblem(link, { seq, previous, isFirstHashed, sha256 });
  if (problem !== null) return { ...walk, broken: { isIntact: false, seq, problem } };
  return {
    seq,
    previous: link.hash ?? linkHash(previous, link, sha256),
    unhashed: link.hash === null ? unhashed + 1 : unhashed,
    gapSeq: walk.gapSeq ?? (link.body?.["isGap"] === true ? seq : null),
    frozenHash: openingHash(link) ?? walk.frozenHash,
    broken: null,
  };
}

/** An upgrade changes what a run was started with, and so begins a chain; no entry between may name another hash. */
function openingHash({ seq, body }: ChainLink): string | null {
  const hash = body?.["frozenHash"];
  const isOpening = seq === 1 || body?.["previousChain"] !== undefined;
  return isOpening && typeof hash === "string" ? hash : null;
}

type Place = { seq: number; previous: string; isFirstHashed: boolean; sha256: Sha256 };

function linkProblem(link: ChainLink, place: Place): string | null {
  if (link.seq !== place.seq) return "it is missing";
  if (link.body === null) return "it is not readable";
  if (link.hash === null) return place.isFirstHashed ? null : "it has no hash";
  return hashProblem(link, place);
}

function hashProblem(link: ChainLink, { previous, isFirstHashed, sha256 }: Place): string | null {
  const before = link.body?.["previousChain"];
  if (before === undefined) {
    if (isFirstHashed && link.seq > 1) return "it names no chain before it";
    return linkHash(previous, link, sha256) === link.hash ? null : "it was changed, or what comes before it was";
  }
  const isNamed = canonicalJson(before) === canonicalJson({ seq: link.seq - 1, hash: previous });
  if (!isNamed) return "the entries before it were changed";
  return linkHash("", link, sha256) === link.hash ? null : "it was changed";
}
