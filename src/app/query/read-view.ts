import type { TextRef } from "../../core/verification/verdict.ts";
import type { JournalEntry } from "../../core/journal/journal-entry.ts";
import type { IterationView, RunView, ShownVerdict } from "../../core/journal/run-view.ts";
import { createViewBuilder } from "../../core/journal/view-builder.ts";
import type { RunRecord } from "../../shell/ports.ts";
import type { Records } from "../../shell/wire-store.ts";

/** Entries read at a time: with 1 000 the garbage between two collections takes 70 MB more. */
const pageSize = 200;

/** Outputs kept for the next iterations: a check that stays red mostly prints the same. */
const textsMax = 16;

type Place = Pick<Records, "store">;

/** The view of a run, folded from its journal, with the whole output of every check. */
export async function readView(machine: Place, run: Pick<RunRecord, "id">): Promise<RunView> {
  const builder = createViewBuilder();
  for await (const entries of readPages(machine, run, Infinity)) for (const entry of entries) builder.add(entry);
  const view = builder.view();
  return { ...view, iterations: await withOutputs(view.iterations, textReader(machine)) };
}

/**
 * The view without its iterations, and the last entry it is made of. Each iteration is only shown to `look`, without the output
 * of its checks, and not kept: a journal of any length needs the same memory.
 */
export async function readEnd(
  machine: Place,
  run: Pick<RunRecord, "id">,
  look: (iteration: IterationView) => void,
): Promise<RunView & { lastSeq: number }> {
  const builder = createViewBuilder(look);
  let lastSeq = 0;
  for await (const entries of readPages(machine, run, Infinity)) {
    for (const entry of entries) builder.add(entry);
    lastSeq = entries.at(-1)?.seq ?? lastSeq;
  }
  const view = builder.view();
  for (const iteration of view.iterations) look(iteration);
  return { ...view, iterations: [], lastSeq };
}

/** The iterations up to the entry `lastSeq`, some at a time, with the whole output of every check. */
export async function* readIterations(
  machine: Place,
  run: Pick<RunRecord, "id">,
  lastSeq: number,
): AsyncGenerator<IterationView[]> {
  const past: IterationView[] = [];
  const builder = createViewBuilder((iteration) => past.push(iteration));
  const readText = textReader(machine);
  for await (const entries of readPages(machine, run, lastSeq)) {
    for (const entry of entries) builder.add(entry);
    yield await withOutputs(past.splice(0), readText);
  }
  yield await withOutputs(builder.view().iterations, readText);
}

async function* readPages(
  { store }: Place,
  { id }: Pick<RunRecord, "id">,
  lastSeq: number,
): AsyncGenerator<JournalEntry[]> {
  for (let afterSeq = 0; afterSeq < lastSeq;) {
    const entries = await store.readJournal(id, afterSeq, Math.min(pageSize, lastSeq - afterSeq));
    yield entries;
    afterSeq = entries.at(-1)?.seq ?? afterSeq;
    if (entries.length < pageSize) return;
  }
}

type ReadText = (hash: string) => Promise<string>;

async function withOutputs(iterations: readonly IterationView[], readText: ReadText): Promise<IterationView[]> {
  const all: IterationView[] = [];
  for (const each of iterations) all.push(hasBlob(each) ? await withTexts(each, readText) : each);
  return all;
}

function hasBlob({ guardrails, criteria }: IterationView): boolean {
  return [...guardrails, ...criteria].some(({ output }) => "blob" in output);
}

async function withTexts(iteration: IterationView, readText: ReadText): Promise<IterationView> {
  const { guardrails, criteria } = iteration;
  return {
    ...iteration,
    guardrails: await Promise.all(guardrails.map((verdict) => withOutput(verdict, readText))),
    criteria: await Promise.all(criteria.map((verdict) => withOutput(verdict, readText))),
  };
}

async function withOutput(verdict: ShownVerdict, readText: ReadText): Promise<ShownVerdict> {
  return { ...verdict, output: await whole(verdict.output, readText) };
}

async function whole(output: TextRef, readText: ReadText): Promise<TextRef> {
  return "blob" in output ? { text: await readText(output.blob) } : output;
}

function textReader({ store }: Place): ReadText {
  const texts = new Map<string, string>();
  return async (hash) => {
    const known = texts.get(hash);
    if (known !== undefined) return known;
    const text = (await store.getBlob(hash)) ?? "";
    const [oldest] = texts.keys();
    if (texts.size >= textsMax && oldest !== undefined) texts.delete(oldest);
    texts.set(hash, text);
    return text;
  };
}
