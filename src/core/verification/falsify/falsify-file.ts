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
import { falsifyShell, shellBlocks } from "./shell.ts";
import { falsifySnapshots } from "./snapshots.ts";
import { falsifyHelperCalls } from "./own-helpers.ts";
import { falsifyTables, type Table } from "./rows.ts";

/** A test file whose expectations are false: its text, where it was changed, and the tests in it. */
export type Falsified = {
  text: string;
  spots: { line: number }[];
  /** Tests by their own name and the suites around them; `spotCount` 0 means that the test cannot be probed. */
  blocks: (TestBlock & { spotCount: number })[];
};

/** Makes the expectations of a test file false, so that an honest suite fails. Null: nothing in it can be made false. */
export function falsifyFile(path: string, text: string): Falsified | null {
  if (text.length > charactersMax) return null;
  const language = languageOf(path);
  if (language !== null) return falsifyCode(openCode(path, text, language));
  if (/\.(?:snap|snapshot)$/.test(path)) {
    const { edits, blocks } = falsifySnapshots(text);
    return assemble(text, edits, blocks);
  }
  if (/\.(?:sh|bash|bats|zsh|ksh)$/.test(path) || /^#!.{0,40}\b(?:ba|z|k|da)?sh\b/.test(text)) {
    const blocks = shellBlocks(text);
    return assemble(text, chooseEdits(falsifyShell(text), blocks), blocks);
  }
  return assemble(text, falsifyData(path, text), []);
}

/** No test file of people is longer; a longer one is data, and its reading would delay every verification. */
const charactersMax = 1_000_000;

function falsifyCode(code: Code): Falsified | null {
  const rules = languages[code.language];
  const named = falsifyNamedValues(code);
  const rows = falsifyTables(code, rules.tables(code));
  const helpers = falsifyHelperCalls(code);
  const names = new Set([...named.names, ...rows.names, ...helpers.names]);
  const edits = [...named.edits, ...rows.edits, ...helpers.edits, ...rules.assertions({ code, names })];
  const blocks = rules.blocks(code);
  return assemble(code.text, chooseEdits(edits, blocks), blocks);
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
 * them, and code that reads its answers from the tests would not be found out.
 */
function chooseEdits(edits: readonly Edit[], blocks: readonly TestBlock[]): Edit[] {
  const owner = ownerByLine(blocks);
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
  // Two loops over one table ask for the same change.
  let last = -1;
  for (const edit of edits.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    if (edit.from < at || edit.from === last) continue;
    pieces.push(text.slice(at, edit.from), edit.text);
    spots.push({ line: edit.line });
    at = edit.to;
    last = edit.from;
  }
  if (spots.length === 0) return null;
  const count = countUpTo(spots, lastLineOf(text));
  const counted = blocks.map((block) => ({
    ...block,
    spotCount: (count[block.toLine] ?? 0) - (count[block.fromLine - 1] ?? 0),
  }));
  return { text: [...pieces, text.slice(at)].join(""), spots, blocks: counted };
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
