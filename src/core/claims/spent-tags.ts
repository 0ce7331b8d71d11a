import { addFound, type Found } from "./found-claims.ts";
import type { Tag } from "./tag-lexer.ts";

/** Knows which tags can add nothing to the claims of a turn any more. */
export type SpentTags = {
  /** A tag was read, as if it were a claim. */
  note(tag: Tag, claim: Found): void;
  /** Whether text that is read from the beginning of a line outside fences, to the end of a line or message, leaves the report as it is. */
  sayNothingNew(text: string, found: Found): boolean;
};

/**
 * An agent without a stream of events may repeat its claim on every line, and reading each again is most of the work. Of each kind
 * the first claim stays, so a tag whose claim was found counts no more, wherever it stands: one pattern looks for any other tag and
 * for fences. Lines without them need no reading.
 */
export function createSpentTags(): SpentTags {
  const noted = new Map<string, { tag: Tag; claim: Found }>();
  const spent: string[] = [];
  let pattern = patternOf(spent);
  const spend = (found: Found): void => {
    const counts = spent.length;
    for (const [key, { tag, claim }] of noted) {
      // A mention of what was claimed is not reported.
      if (addFound(found, claim) !== found) continue;
      noted.delete(key);
      spent.push(`${tag.name}>${escaped(tag.content)}</${tag.name}>`);
    }
    if (spent.length > counts) pattern = patternOf(spent);
  };
  return {
    note(tag, claim) {
      if (spent.length + noted.size >= tagsMax || !plainContent.test(tag.content)) return;
      const key = `${tag.name}>${tag.content.toLowerCase()}`;
      if (!noted.has(key)) noted.set(key, { tag, claim });
    },
    sayNothingNew(text, found) {
      if (noted.size > 0) spend(found);
      return !pattern.test(text);
    },
  };
}

/** Agents repeat one or two; a long pattern would cost more than it saves. */
const tagsMax = 8;

/** Letters whose capitals the pattern knows as the claims do. */
const plainContent = /^[\x20-\x7E]{0,100}$/;

/** Fences, and opening tags of which none of the spent ones begins. */
function patternOf(spent: readonly string[]): RegExp {
  const others = spent.length === 0 ? "" : `(?!${spent.join("|")})`;
  return new RegExp(`\`{3}|~{3}|<${others}(?:promise|response)>`, "i");
}

function escaped(content: string): string {
  return content.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
