import type { TextFilter } from "../text/text-filter.ts";

/**
 * Removes every exact echo of the prompt, however the pieces are cut. An agent without a stream parser may print its
 * prompt, and the prompt holds the tag. Nothing but a count is held back: a half echo is the prompt's own beginning.
 * A prompt without a tag cannot claim, so its echo stays: removing a short one would tear the agent's own words.
 */
export function createEchoFilter(prompt: string): TextFilter {
  const echo = /<(?:promise|response)>/i.test(prompt) ? toNewlines(prompt).trim() : "";
  const fallback = fallbacksOf(echo);
  let matched = 0;
  let isCarriageReturnHeld = false;

  const remove = (chunk: string): string => {
    const kept: string[] = [];
    const before = matched;
    // Positions below zero lie in earlier pieces: the part of the echo that was matched there.
    let keptTo = -before;
    const keep = (to: number): void => {
      if (keptTo < 0) kept.push(echo.slice(before + keptTo, before + Math.min(to, 0)));
      if (to > 0) kept.push(chunk.slice(Math.max(keptTo, 0), to));
      keptTo = to;
    };
    for (let at = 0; at < chunk.length; at += 1) {
      if (matched === 0) {
        at = chunk.indexOf(echo.charAt(0), at);
        if (at === -1) break;
      }
      const code = chunk.charCodeAt(at);
      while (matched > 0 && echo.charCodeAt(matched) !== code) matched = fallback[matched - 1] ?? 0;
      if (echo.charCodeAt(matched) === code) matched += 1;
      if (matched < echo.length) continue;
      keep(at + 1 - matched);
      keptTo = at + 1;
      matched = 0;
    }
    keep(chunk.length - matched);
    return kept.join("");
  };

  return {
    text(chunk) {
      if (echo === "") return chunk;
      const text = isCarriageReturnHeld ? `\r${chunk}` : chunk;
      isCarriageReturnHeld = text.endsWith("\r");
      return remove(toNewlines(isCarriageReturnHeld ? text.slice(0, -1) : text));
    },
    end() {
      const rest = (isCarriageReturnHeld ? remove("\n") : "") + echo.slice(0, matched);
      matched = 0;
      isCarriageReturnHeld = false;
      return rest;
    },
  };
}

function toNewlines(text: string): string {
  return text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
}

// For each length of a match, the longest shorter match that ends at the same place (Knuth, Morris, Pratt).
function fallbacksOf(word: string): Int32Array {
  const fallback = new Int32Array(word.length);
  let length = 0;
  for (let at = 1; at < word.length; at += 1) {
    while (length > 0 && word.charCodeAt(at) !== word.charCodeAt(length)) length = fallback[length - 1] ?? 0;
    if (word.charCodeAt(at) === word.charCodeAt(length)) length += 1;
    fallback[at] = length;
  }
  return fallback;
}
