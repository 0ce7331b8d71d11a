/** What stands before a tag on its line, other tags left out. */
export type Prefix = {
  /** Length of the whole prefix. */
  length: number;
  /** Its first `prefixHeadChars` characters. */
  head: string;
  /** At least its last `prefixTailChars` characters. */
  tail: string;
  /** How many back-ticks it has. */
  ticks: number;
  hasOpenQuote: boolean;
};

/** A longer prefix is neither a label nor marks alone. */
export const prefixHeadChars = 512;

/** Enough for the end of a sentence and the marks behind it. */
export const prefixTailChars = 256;

/**
 * Judges where a tag stands: `alone` behind nothing but marks and back-ticks, `sentence` behind a finished sentence or a
 * short label, `inside` other text, a code span, a quotation or a table.
 */
export function judgePrefix(prefix: Prefix): "alone" | "sentence" | "inside" {
  if (prefix.length === 0) return "alone";
  const lead = leadingMarks.exec(prefix.head)?.[0] ?? "";
  if (/^(?:>|\||<!--)/.test(prefix.head.slice(lead.length))) return "inside";
  const isWhole = prefix.length <= prefixHeadChars;
  if (isWhole && onlyMarks.test(prefix.head)) return "alone";
  if (prefix.ticks % 2 === 1 || prefix.hasOpenQuote) return "inside";
  if (isWhole && isLabel(prefix.head.slice(lead.length))) return "sentence";
  const tail = prefix.tail.slice(-prefixTailChars);
  return sentenceEnd.test(tail) && !abbreviationEnd.test(tail) ? "sentence" : "inside";
}

/** Whether text behind a tag takes its claim away: words, quotes, bars; back-ticks are judged by the caller. */
export function breaksClaim(suffix: string): boolean {
  return beyondPunctuation.test(suffix);
}

// Emoji are pictographs with the selectors, joiners and enclosing keycaps that belong to them; ©, ® and ™ end no sentence.
// Written without the `v` flag and its set difference: hooks run on Node 18.
const leadingMarks = /^(?:[\s*_#+•‣▪●◦–—-]|\d{1,9}[.)]\s|\[[xX]\])*/u;
const onlyMarks =
  /^(?:(?![©®™])[\s*_#+•‣▪●◦–—\-`✓\p{Extended_Pictographic}\p{Emoji_Presentation}\p{VS}\p{Join_C}\p{Me}]|\d{1,9}[.)](?:\s|$)|\[[xX]\])*$/u;
const sentenceEnd =
  /(?:[.!?。！？]|(?![©®™])[\p{Extended_Pictographic}\p{Emoji_Presentation}\p{Me}]\p{VS}?)["'”’»)\]]*[\s*_#+•–—-]*$/u;
const abbreviationEnd = /(?:^|[^\p{L}])(?:e\.\s?g|i\.\s?e|z\.\s?B|cf|vs)\.[\s*_#+•–—-]*$/iu;
const beyondPunctuation =
  /["'\p{Pi}\p{Pf}„「」『』©®™]|[^\s\p{P}+✓`\p{Extended_Pictographic}\p{Emoji_Presentation}\p{VS}\p{Join_C}\p{Me}]/u;

function isLabel(text: string): boolean {
  const label = /^([^"“”„«»`<>|]+?)[*_]*[:：][\s*_]*$/u.exec(text)?.[1];
  if (label === undefined) return false;
  // Scripts without spaces: two characters count as a word.
  const spaced = label.replace(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]{1,2}/gu, " x ");
  return spaced.trim().split(/\s+/).length <= 3;
}
