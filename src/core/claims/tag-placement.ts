import { addFound, type Found, nothingFound, toMention } from "./found-claims.ts";
import { breaksClaim, judgePrefix, prefixHeadChars, prefixTailChars } from "./own-sentence.ts";

/** The place of the text read so far: the current line, the fence around it, and the claims before it. */
export type Placement = {
  rule: "own-sentence" | "own-line";
  line: Line;
  fence: Fence | null;
  found: Found;
};

type Line = {
  length: number;
  head: string;
  tail: string;
  ticks: number;
  /** One bit for each kind of quotation mark that is open. */
  openQuotes: number;
  hasTag: boolean;
  /** Nothing but white space, back-ticks and tags so far. */
  isBare: boolean;
  /** Tags behind nothing but marks. */
  alone: Found;
  /** Tags behind a sentence or a label. */
  behindSentence: Found;
};

type Fence = { mark: string; length: number; hasOther: boolean; found: Found };

/** A longer line is not judged: its tags are mentions. */
export const lineCharsMax = 16 * 1024 * 1024;

/** Starts at the beginning of a line, outside fences. */
export function startPlacement(rule: Placement["rule"]): Placement {
  return { rule, line: startLine(), fence: null, found: nothingFound };
}

/** A copy that can be finished while the original continues. */
export function forkPlacement(place: Placement): Placement {
  return { ...place, line: { ...place.line }, fence: place.fence && { ...place.fence } };
}

/** Takes plain text. Skips whole lines, except for those that may be fences. */
export function placeText(place: Placement, text: string): void {
  const first = text.indexOf("\n");
  if (first === -1) return extendLine(place, text);
  extendLine(place, text.slice(0, first));
  endLine(place);
  const last = text.lastIndexOf("\n");
  if (last > first) skipLines(place, text.slice(first + 1, last + 1));
  extendLine(place, text.slice(last + 1));
}

/** Takes a tag, already read as if it were a claim. */
export function placeTag(place: Placement, tag: Found): void {
  const { line, fence } = place;
  if (fence !== null) fence.found = addFound(fence.found, tag);
  else if (place.rule === "own-line") line.alone = addFound(line.alone, tag);
  else placeInSentence(line, tag);
  line.hasTag = true;
  countChars(line, " ");
}

/** Whether the text stands inside a fence, or on a line that begins like one. */
export function isFenced(place: Placement): boolean {
  return place.fence !== null || readFence(place.line) !== null;
}

/** Ends the message: its last line and a fence left open end with it. */
export function endMessage(place: Placement): void {
  endLine(place);
  if (place.fence !== null) endFence(place, place.fence);
}

function startLine(): Line {
  return {
    length: 0,
    head: "",
    tail: "",
    ticks: 0,
    openQuotes: 0,
    hasTag: false,
    isBare: true,
    alone: nothingFound,
    behindSentence: nothingFound,
  };
}

function extendLine(place: Placement, text: string): void {
  const { line } = place;
  if (text === "" || line.length > lineCharsMax) return;
  if (line.hasTag && place.rule === "own-sentence") judgeSuffix(line, text);
  line.isBare &&= isBareText(text);
  // Most texts have no quotation, and looking costs less than a search for all of them.
  if (/[`"“”„‟«»「」『』]/.test(text)) countQuotes(line, text);
  countChars(line, text);
}

function countQuotes(line: Line, text: string): void {
  for (const [mark] of text.matchAll(/[`"“”„‟«»「」『』]/g)) {
    if (mark === "`") line.ticks += 1;
    else line.openQuotes ^= quoteBits[mark] ?? 0;
  }
}

function judgeSuffix(line: Line, text: string): void {
  const isBroken = breaksClaim(text);
  if (isBroken) line.alone = toMention(line.alone);
  // A back-tick behind a tag closes a code span; only a tag that stands alone may be in one.
  if (isBroken || text.includes("`")) line.behindSentence = toMention(line.behindSentence);
}

function isBareText(text: string): boolean {
  return !/[^\s`]/.test(text);
}

// Opening and closing marks of one kind are not told apart: languages use them either way round.
const quoteBits: Record<string, number> = {
  '"': 1,
  "“": 2,
  "”": 2,
  "„": 2,
  "‟": 2,
  "«": 4,
  "»": 4,
  "「": 8,
  "」": 8,
  "『": 16,
  "』": 16,
};

function countChars(line: Line, text: string): void {
  line.length += text.length;
  if (line.head.length < prefixHeadChars) line.head += text.slice(0, prefixHeadChars - line.head.length);
  line.tail = text.length >= prefixTailChars ? text.slice(-prefixTailChars) : line.tail + text;
  // Cut now and then only: cutting after every small piece would cost more than it saves.
  if (line.tail.length > 8 * prefixTailChars) line.tail = line.tail.slice(-prefixTailChars);
}

function endLine(place: Placement): void {
  const { line, fence } = place;
  // An empty line says nothing, in a fence or outside, and the next one begins like it.
  if (line.length === 0) return;
  place.line = startLine();
  const mark = readFence(line);
  if (fence === null) {
    const found = addFound(line.alone, line.behindSentence);
    place.found = addFound(place.found, mark === null && isJudged(place.rule, line) ? found : toMention(found));
    place.fence = mark === null ? null : { ...mark, hasOther: false, found: nothingFound };
    return;
  }
  const isClosed = mark !== null && mark.isClosing && mark.mark === fence.mark && mark.length >= fence.length;
  if (isClosed) return endFence(place, fence);
  fence.hasOther ||= !line.isBare || line.length > lineCharsMax;
}

function readFence(line: Line): { mark: string; length: number; isClosing: boolean } | null {
  if (!line.head.includes("```") && !line.head.includes("~~~")) return null;
  const run = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})/.exec(line.head)?.[1];
  if (run === undefined) return null;
  const mark = run.charAt(0);
  // Back-ticks behind the run make it a code span.
  if (mark === "`" && line.ticks !== run.length) return null;
  return { mark, length: run.length, isClosing: !line.hasTag && line.head.trim() === run };
}

function isJudged(rule: Placement["rule"], line: Line): boolean {
  return line.length <= lineCharsMax && (rule === "own-sentence" || line.isBare);
}

function endFence(place: Placement, fence: Fence): void {
  place.found = addFound(place.found, fence.hasOther ? toMention(fence.found) : fence.found);
  place.fence = null;
}

function skipLines(place: Placement, lines: string): void {
  if (!lines.includes("```") && !lines.includes("~~~")) return skipContent(place, lines);
  let from = 0;
  for (const mark of fenceMarks(lines)) {
    if (mark < from) continue;
    const lineStart = lines.lastIndexOf("\n", mark) + 1;
    skipContent(place, lines.slice(from, lineStart));
    from = lines.indexOf("\n", mark) + 1;
    extendLine(place, lines.slice(lineStart, from - 1));
    endLine(place);
  }
  skipContent(place, lines.slice(from));
}

function* fenceMarks(lines: string): Generator<number> {
  for (const mark of lines.matchAll(/`{3,}|~{3,}/g)) yield mark.index;
}

function skipContent(place: Placement, lines: string): void {
  if (place.fence !== null) place.fence.hasOther ||= !isBareText(lines);
}

function placeInSentence(line: Line, tag: Found): void {
  // Most claims stand at the beginning of a line: no copy of it is made for them.
  const place = line.length === 0 ? "alone" : judgePrefix({ ...line, hasOpenQuote: line.openQuotes !== 0 });
  if (place === "sentence") line.behindSentence = addFound(line.behindSentence, tag);
  else line.alone = addFound(line.alone, place === "alone" ? tag : toMention(tag));
}
