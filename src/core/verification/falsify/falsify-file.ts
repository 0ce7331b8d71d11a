import { languageOf } from "../syntax/language.ts";
import { cBlocks, falsifyC } from "./c.ts";
import { falsifyGo, goBlocks, goTables } from "./go.ts";
import { falsifyJvm, jvmBlocks } from "./jvm.ts";
import { falsifyPython, pythonBlocks, pythonTables } from "./python.ts";
import { falsifyRuby, rubyBlocks } from "./ruby.ts";
import { falsifyRust, rustBlocks, rustTables } from "./rust.ts";
import { callBlocks, type TestBlock } from "./blocks.ts";
import { openCode, type Code, type Edit } from "./code.ts";
import type { Subject } from "./equality.ts";
import { falsifyJavaScript } from "./javascript.ts";
import { falsifyTemplateTables, javaScriptTables } from "./javascript-tables.ts";
import { falsifyNamedValues } from "./named-values.ts";
import { falsifyData } from "./data-files.ts";
import { falsifyShell, isShellFile, shellBlocks } from "./shell.ts";
import { falsifySnapshots } from "./snapshots.ts";
import { falsifyHelperCalls } from "./own-helpers.ts";
import { falsifyTables, type Table } from "./rows.ts";
import { falsifyUnknownCalls } from "./unknown-helpers.ts";

/** A test file whose expectations are false: its text, where it was changed, and the tests in it. */
export type Falsified = {
  text: string;
  spots: { line: number }[];
  /**
   * Tests by their own name and the suites around them; `spotCount` 0 means that the test cannot be probed. `helpers`: where nothing in
   * a test is surely an assertion, the calls that may be some.
   */
  blocks: (TestBlock & { spotCount: number; helpers: string[] })[];
  /** Whether something of it is surely an assertion. */
  isSure: boolean;
};

/** Makes the expectations of a test file false, so that an honest suite fails. Null: nothing in it can be made false. */
export function falsifyFile(path: string, text: string): Falsified | null {
  const { edits, blocks } = findEdits(path, text);
  return assemble(text, chooseEdits(edits, blocks), blocks);
}

/** Every change that makes one expectation of a test file false, from its beginning to its end; none overlaps another. */
export function falsifyingEdits(path: string, text: string): Edit[] {
  return inOrder(findEdits(path, text).edits);
}

type FoundEdits = { edits: readonly Edit[]; blocks: readonly TestBlock[] };

function findEdits(path: string, text: string): FoundEdits {
  if (text.length > charactersMax) return { edits: [], blocks: [] };
  const language = languageOf(path);
  if (language !== null) return findInCode(openCode(path, text, language));
  if (/\.(?:snap|snapshot)$/.test(path)) return falsifySnapshots(text);
  if (isShellFile(path, text)) return { edits: falsifyShell(text), blocks: shellBlocks(text) };
  return { edits: falsifyData(path, text), blocks: [] };
}

/** No test file of people is longer; a longer one is data, and its reading would delay every verification. */
const charactersMax = 1_000_000;

function findInCode(code: Code): FoundEdits {
  const rules = languages[code.language];
  const named = falsifyNamedValues(code);
  const rows = falsifyTables(code, rules.tables(code));
  const helpers = falsifyHelperCalls(code);
  const names = new Set([...named.names, ...rows.names, ...helpers.names]);
  const known = [...named.edits, ...rows.edits, ...helpers.edits, ...rules.assertions({ code, names })];
  return { edits: [...known, ...falsifyUnknownCalls(code, known)], blocks: rules.blocks(code) };
}

/** What a language adds: its assertions, its tables of cases and its tests. */
type Rules = {
  assertions: (subject: Subject) => Edit[];
  tables: (code: Code) => Table[];
  blocks: (code: Code) => TestBlock[];
};

const languages: Record<Code["language"], Rules> = {
  javascript: {
    assertions: (subject) => [...falsifyTemplateTables(subject.code), ...falsifyJavaScript(subject)],
    tables: javaScriptTables,
    blocks: callBlocks,
  },
  python: { assertions: falsifyPython, tables: pythonTables, blocks: pythonBlocks },
  go: { assertions: falsifyGo, tables: goTables, blocks: goBlocks },
  rust: { assertions: falsifyRust, tables: rustTables, blocks: rustBlocks },
  c: { assertions: falsifyC, tables: () => [], blocks: cBlocks },
  java: { assertions: falsifyJvm, tables: () => [], blocks: jvmBlocks },
  kotlin: { assertions: falsifyJvm, tables: () => [], blocks: jvmBlocks },
  ruby: { assertions: falsifyRuby, tables: () => [], blocks: rubyBlocks },
};

/**
 * A test whose expected values were changed keeps its other assertions: were they false too, the test would fail for
 * them, and code that reads its answers from the tests would not be found out. What may be an assertion is changed where nothing is
 * that surely is one.
 */
function chooseEdits(all: readonly Edit[], blocks: readonly TestBlock[]): Edit[] {
  const owner = ownerByLine(blocks);
  const sure = all.filter(({ group }) => group === undefined);
  const asserting = new Set(sure.map(({ line }) => owner(line)));
  const edits = all.filter(({ group, line }) => group === undefined || !asserting.has(owner(line)));
  const withLiterals = new Set(edits.filter(({ isLiteral }) => isLiteral).map(({ line }) => owner(line)));
  const isAnyLiteral = withLiterals.size > 0;
  return edits.filter(({ isLiteral, line }) => {
    const block = owner(line);
    return isLiteral || !(block === -1 ? isAnyLiteral : withLiterals.has(block));
  });
}

/** The innermost test that a line belongs to, by its index; -1 for none. */
function ownerByLine(blocks: readonly TestBlock[]): (line: number) => number {
  const owners = new Map<number, number>();
  const order = blocks.map((block, index) => ({ block, index }));
  const bySize = order.toSorted((one, other) => size(other.block) - size(one.block));
  const linesMax = 200_000;
  let written = 0;
  for (const { block, index } of bySize)
    for (let line = block.fromLine; line <= block.toLine && written < linesMax; line += 1, written += 1)
      owners.set(line, index);
  return (line) => owners.get(line) ?? -1;
}

function size(block: TestBlock): number {
  return block.toLine - block.fromLine;
}

function assemble(text: string, edits: readonly Edit[], blocks: readonly TestBlock[]): Falsified | null {
  const pieces: string[] = [];
  const spots: { line: number }[] = [];
  let at = 0;
  const ordered = inOrder(edits);
  for (const edit of ordered) {
    pieces.push(text.slice(at, edit.from), edit.text);
    spots.push({ line: edit.line });
    at = edit.to;
  }
  if (spots.length === 0) return null;
  const count = countUpTo(spots, lastLineOf(text));
  const counted = blocks.map((block) => ({
    ...block,
    spotCount: (count[block.toLine] ?? 0) - (count[block.fromLine - 1] ?? 0),
    helpers: helpersIn(block, ordered),
  }));
  const isSure = ordered.some(({ group }) => group === undefined);
  return { text: [...pieces, text.slice(at)].join(""), spots, blocks: counted, isSure };
}

function helpersIn(block: TestBlock, edits: readonly Edit[]): string[] {
  const unsure = edits.filter(({ group }) => group !== undefined);
  // Files of a thousand tests have helpers that are known.
  const own = unsure.slice(0, helpersMax).filter(({ line }) => line >= block.fromLine && line <= block.toLine);
  return [...new Set(own.map(({ group }) => group ?? ""))];
}

const helpersMax = 2_000;

/** Sorted and without those that overlap one before them: two loops over one table ask for the same change. */
function inOrder(edits: readonly Edit[]): Edit[] {
  const found: Edit[] = [];
  for (const edit of edits.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    const last = found.at(-1);
    if (last === undefined || (edit.from >= last.to && edit.from !== last.from)) found.push(edit);
    // What is known to be an assertion counts as one.
    else if (last.group !== undefined && edit.group === undefined) found[found.length - 1] = edit;
  }
  return found;
}

function lastLineOf(text: string): number {
  return text.split("\n").length;
}

/** How many spots stand on the lines up to each line. */
function countUpTo(spots: readonly { line: number }[], last: number): number[] {
  const counts: number[] = Array.from({ length: last + 1 }, () => 0);
  for (const { line } of spots) counts[line] = (counts[line] ?? 0) + 1;
  for (let line = 1; line <= last; line += 1) counts[line] = (counts[line] ?? 0) + (counts[line - 1] ?? 0);
  return counts;
}
