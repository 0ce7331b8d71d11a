import { type Secret, secretMark } from "../../core/text/known-secrets.ts";

/** Takes bytes in pieces and gives them back without secrets, also without one that lies across pieces. */
export type SecretFilter = {
  /** The piece, with what was held before it, up to where a secret may have begun. Often the very same bytes. */
  take(chunk: Uint8Array): Uint8Array;
  /** What was held at the end. */
  end(): Uint8Array;
};

type Needle = { bytes: Buffer; mark: Buffer };

/** Holds back less than the longest secret, whatever passes through. Of secrets that begin at one place the longest counts. */
export function createSecretFilter(secrets: readonly Secret[]): SecretFilter {
  const needles = secrets
    .map((secret) => ({ bytes: Buffer.from(secret.value), mark: Buffer.from(secretMark(secret)) }))
    .toSorted((first, second) => second.bytes.length - first.bytes.length);
  let held: Buffer = Buffer.alloc(0);
  return {
    take(chunk) {
      const bytes = held.length === 0 ? asBuffer(chunk) : Buffer.concat([held, chunk]);
      const { shown, rest } = hide(bytes, needles, false);
      // A copy: the rest must not keep a whole chunk in memory.
      held = rest.length === 0 ? rest : Buffer.from(rest);
      return shown;
    },
    end() {
      const { shown } = hide(held, needles, true);
      held = Buffer.alloc(0);
      return shown;
    },
  };
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Replaces from left to right; what may be the beginning of a secret waits for more, unless `isLast`. */
function hide(bytes: Buffer, needles: readonly Needle[], isLast: boolean): { shown: Buffer; rest: Buffer } {
  const shown: Buffer[] = [];
  const next = needles.map(({ bytes: needle }) => bytes.indexOf(needle));
  let at = 0;
  while (true) {
    const found = firstMatch(bytes, needles, { next, at });
    const openAt = isLast ? bytes.length : beginningAt(bytes, needles, at);
    if (found === null || openAt <= found.at) {
      const rest = bytes.subarray(openAt);
      if (at === 0 && shown.length === 0) return { shown: bytes.subarray(0, openAt), rest };
      shown.push(bytes.subarray(at, openAt));
      return { shown: Buffer.concat(shown), rest };
    }
    shown.push(bytes.subarray(at, found.at), found.needle.mark);
    at = found.at + found.needle.bytes.length;
  }
}

/** The first match from `at` on; needles are sorted, so that of several at one place the longest is found first. */
function firstMatch(
  bytes: Buffer,
  needles: readonly Needle[],
  { next, at }: { next: number[]; at: number },
): { at: number; needle: Needle } | null {
  let first: { at: number; needle: Needle } | null = null;
  for (const [index, needle] of needles.entries()) {
    const known = next[index] ?? -1;
    if (known >= 0 && known < at) next[index] = bytes.indexOf(needle.bytes, at);
    const foundAt = next[index] ?? -1;
    if (foundAt >= 0 && (first === null || foundAt < first.at)) first = { at: foundAt, needle };
  }
  return first;
}

/** Where the bytes end with the beginning of a secret, the leftmost such place from `at` on; their end when nowhere. */
function beginningAt(bytes: Buffer, needles: readonly Needle[], at: number): number {
  let leftmost = bytes.length;
  for (const { bytes: needle } of needles) {
    const from = Math.max(at, bytes.length - needle.length + 1);
    const first = needle[0] ?? 0;
    for (
      let start = bytes.indexOf(first, from);
      start >= 0 && start < leftmost;
      start = bytes.indexOf(first, start + 1)
    )
      if (bytes.compare(needle, 0, bytes.length - start, start) === 0) leftmost = start;
  }
  return leftmost;
}
