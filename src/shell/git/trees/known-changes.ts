import { join } from "node:path";
import type { indexNames } from "../own-store.ts";
import type { StoreContext } from "../run-git.ts";
import { absentMode, changesSince, type TreeChange } from "./changes-since.ts";

/** What differs from one commit or tree to another. That stays so, whatever happens to files and references. */
type Span = { from: string; to: string; changes: readonly TreeChange[] };

/** The last spans that were asked for, newest first, by the folder of the store and the kind of look. */
const knownSpans = new Map<string, readonly Span[]>();
const placesMax = 32;
const spansMax = 4;
/** A longer list is asked for again. */
const changesMax = 10_000;

/**
 * What differs between two commits or trees, in the order of their paths. Between two looks little changes: from a span to
 * the former look and the step from there follows the span to this one, and whoever asks for the step finds it, too.
 * That spares a process of git. Rejects when git cannot tell.
 */
export async function changesBetween(
  context: StoreContext,
  kind: (typeof indexNames)[number],
  { from, to }: Pick<Span, "from" | "to">,
): Promise<readonly TreeChange[]> {
  const place = join(context.store.folder, kind);
  const spans = knownSpans.get(place) ?? [];
  const known = spanOf(spans, from, to) ?? (await bySteps(context, place, { from, to }));
  const found = known ?? { from, to, changes: await asked(context, from, to) };
  remember(place, found);
  return found.changes;
}

function spanOf(spans: readonly Span[], from: string, to: string): Span | undefined {
  return spans.find((span) => span.from === from && span.to === to);
}

async function bySteps(
  context: StoreContext,
  place: string,
  { from, to }: Pick<Span, "from" | "to">,
): Promise<Span | null> {
  const spans = knownSpans.get(place) ?? [];
  const former = spans.find((span) => span.from === from);
  if (former === undefined) return null;
  const step = spanOf(spans, former.to, to) ?? { from: former.to, to, changes: await asked(context, former.to, to) };
  remember(place, step);
  const changes = joinChanges(former.changes, step.changes);
  return changes === null ? null : { from, to, changes };
}

/** Both steps as one. Null: names that are not UTF-8 cannot be told apart. */
export function joinChanges(first: readonly TreeChange[], second: readonly TreeChange[]): TreeChange[] | null {
  if ([...first, ...second].some(({ path }) => path.includes("\uFFFD"))) return null;
  const joined = new Map(first.map((change) => [change.path, change]));
  for (const change of second) {
    const { formerMode, formerObject } = joined.get(change.path) ?? change;
    joined.set(change.path, { ...change, formerMode, formerObject });
  }
  return inOrder([...joined.values()].filter(isChange));
}

function isChange({ mode, object, formerMode, formerObject }: TreeChange): boolean {
  return mode !== formerMode || (mode !== absentMode && object !== formerObject);
}

async function asked(context: StoreContext, from: string, to: string): Promise<TreeChange[]> {
  return from === to ? [] : inOrder(await changesSince(context, from, to));
}

function inOrder(changes: TreeChange[]): TreeChange[] {
  return changes.toSorted((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
}

function remember(place: string, span: Span): void {
  if (span.changes.length > changesMax) return;
  const others = (knownSpans.get(place) ?? []).filter(({ from, to }) => from !== span.from || to !== span.to);
  if (knownSpans.size >= placesMax && !knownSpans.has(place)) knownSpans.clear();
  knownSpans.set(place, [span, ...others].slice(0, spansMax));
}
