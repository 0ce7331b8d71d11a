import type { BusMessage } from "../../core/bus/message.ts";
import type { Clock, SharedFiles } from "../ports.ts";
import { archivesBefore, identityAt } from "./archives.ts";
import { type BusSource, openSource } from "./bus-source.ts";
import { type IsWanted, readArchivedTail, unknownMessage } from "./read-bus.ts";

/** What is delivered first, before what comes. */
export type FollowStart = { since: string } | { tail: number };

export type FollowOptions = {
  start: FollowStart;
  isWanted?: IsWanted;
  files: SharedFiles;
  clock: Clock;
  /** Ends the following; what was read until then is delivered. */
  signal: AbortSignal;
  pollMs?: number;
};

/** As often as the other tools look. */
const pollMsDefault = 500;

/** Archives still looked at: a writer that was stopped between opening and writing appends to one. */
const archivesMax = 8;

/**
 * The messages of a bus as they come, until aborted, each once, those of one writer in their order, across any number
 * of rotations. A bus that is not there is waited for. Throws code `unknown-message` for an unknown `since`.
 */
export async function* followBus(path: string, options: FollowOptions): AsyncGenerator<BusMessage> {
  const { files, clock, signal, start, pollMs = pollMsDefault, isWanted = () => true } = options;
  const chain = openChain(path, files);
  try {
    yield* "since" in start
      ? firstSince(chain, path, start.since).filter(isWanted)
      : firstTail(chain, start.tail, { isWanted, files });
    while (await clock.wait(pollMs, signal)) {
      const found = chain.read();
      // Nothing came for a whole wait: what looks unfinished only for want of a successor is whole.
      yield* (found.length > 0 ? found : chain.settle()).filter(isWanted);
    }
    yield* chain.read().filter(isWanted);
  } finally {
    chain.close();
  }
}

function firstTail(
  chain: Chain,
  count: number,
  { isWanted, files }: { isWanted: IsWanted; files: SharedFiles },
): BusMessage[] {
  const own = chain.read().filter(isWanted);
  if (own.length >= count) return count === 0 ? [] : own.slice(-count);
  return [...readArchivedTail(chain.older, count - own.length, { isWanted, files }), ...own];
}

function firstSince(chain: Chain, path: string, id: string): BusMessage[] {
  let later = chain.read();
  for (let left = chain.older.length; ; left -= 1) {
    const index = later.findLastIndex((message) => message.id === id);
    if (index >= 0) return later.slice(index + 1);
    const archive = chain.older[left - 1];
    if (archive === undefined) throw unknownMessage(path, id);
    later = [...chain.readOlder(archive), ...later];
  }
}

/** The bus and the files it was before, as far as they are followed. */
type Chain = {
  /** Archives there were at the start, oldest first. */
  older: readonly string[];
  read(): BusMessage[];
  settle(): BusMessage[];
  /** Reads an archive from before the start and follows it too. */
  readOlder(archive: string): BusMessage[];
  close(): void;
};

function openChain(path: string, files: SharedFiles): Chain {
  const first = openSource(path, files);
  const older = archivesBefore(path, first?.identity ?? null, files);
  const seen = new Set(older);
  let sources = first === null ? [] : [first];

  const add = (source: BusSource | null): void => {
    const isNew = source !== null && !sources.some(({ identity }) => identity === source.identity);
    if (isNew) sources.push(source);
    else source?.close();
  };
  const lookForNew = (): void => {
    const identity = identityAt(path, files);
    if (identity === null || identity === sources.at(-1)?.identity) return;
    const current = openSource(path, files);
    const archives = archivesBefore(path, current?.identity ?? null, files).filter((archive) => !seen.has(archive));
    for (const archive of archives) {
      seen.add(archive);
      add(openSource(archive, files));
    }
    add(current);
  };
  const forgetOldest = (): void => {
    for (const source of sources.slice(0, -archivesMax - 1)) source.close();
    sources = sources.slice(-archivesMax - 1);
  };
  return {
    older,
    read: () => {
      lookForNew();
      const messages = readInOrder(sources);
      forgetOldest();
      return messages;
    },
    settle: () => sources.flatMap((source) => source.settle()),
    readOlder: (archive) => {
      const source = openSource(archive, files);
      if (source === null) return [];
      sources.unshift(source);
      return [...source.read(), ...source.settle()];
    },
    close: () => {
      for (const source of sources) source.close();
    },
  };
}

/**
 * Sizes are taken from the newest file to the oldest and then read from the oldest to the newest: of a writer whose
 * earlier message went to an older file, the later one is never met first.
 */
function readInOrder(sources: readonly BusSource[]): BusMessage[] {
  const sizes = sources.toReversed().map((source) => source.size());
  return sources.flatMap((source, index) => source.read(sizes[sources.length - 1 - index]));
}
