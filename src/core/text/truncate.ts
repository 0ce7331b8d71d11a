const notice = "... [truncated]";

/**
 * Keeps `charsMax` characters (code points) of a text and adds a notice in the place of the missing part, if
 * any. `both` keeps half of each end.
 */
export function truncateText(text: string, charsMax: number, keep: "head" | "tail" | "both"): string {
  if (text.length <= charsMax || headEnd(text, charsMax) === text.length) return text;
  switch (keep) {
    case "head":
      return text.slice(0, headEnd(text, charsMax)) + notice;
    case "tail":
      return `${notice}\n${text.slice(tailStart(text, charsMax))}`;
    case "both": {
      const tailChars = Math.floor(charsMax / 2);
      const head = text.slice(0, headEnd(text, charsMax - tailChars));
      return `${head}${notice}\n${text.slice(tailStart(text, tailChars))}`;
    }
  }
}

function headEnd(text: string, chars: number): number {
  let at = 0;
  for (let count = 0; count < chars && at < text.length; count += 1) at += isPairAt(text, at) ? 2 : 1;
  return at;
}

function tailStart(text: string, chars: number): number {
  let at = text.length;
  for (let count = 0; count < chars && at > 0; count += 1) at -= isPairAt(text, at - 2) ? 2 : 1;
  return at;
}

function isPairAt(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
