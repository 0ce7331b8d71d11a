import { runStateVersion } from "../../../core/run/state.ts";
import { type ChainLink, chainName, hashFrozen, linkHash } from "../../../core/journal/chain.ts";
import type { JournalEntry, JournalNews, WorkStepNews } from "../../../core/journal/journal-entry.ts";
import { sha256 } from "../sha256.ts";
import { copy, type MemoryRun } from "./memory-contents.ts";

/** Appends news to a run's journal and its hash chain; `isChainStart`: a newer version takes the run over. */
export function appendNews(run: MemoryRun, news: JournalNews | WorkStepNews, isChainStart = false): void {
  const { record, journal, links } = run;
  const seq = journal.length + 1;
  const entry: JournalEntry = copy({ runId: record.id, seq, ...news });
  const { at, kind, ...body } = copy(news);
  const before = links.at(-1);
  const isStart = before !== undefined && (isChainStart || before.hash === null);
  const previousChain = isStart ? { seq: before.seq, hash: before.hash ?? chainName(links, sha256) } : null;
  const opening = {
    ...(previousChain === null ? {} : { previousChain }),
    ...(isStart || before === undefined ? { frozenHash: hashFrozen(record.frozen, sha256) } : {}),
  };
  const link: Omit<ChainLink, "hash"> = {
    runId: record.id,
    seq,
    at,
    kind,
    version: runStateVersion,
    body: { ...body, ...opening },
  };
  journal.push(entry);
  links.push({ ...link, hash: linkHash(isStart ? "" : (before?.hash ?? ""), link, sha256) });
  run.head = links.at(-1)?.hash ?? null;
}
