/** Looks for texts in output as it streams by, however long it is and wherever it is cut. */
export type OutputSearch = {
  add(chunk: Uint8Array): void;
  hasFound(text: string): boolean;
};

/** Starts a case-sensitive search by bytes, so that a character cut in two does not matter. */
export function searchOutput(texts: readonly string[]): OutputSearch {
  const needles = texts.map((text) => ({ text, bytes: Buffer.from(text) }));
  const longest = Math.max(0, ...needles.map(({ bytes }) => bytes.length));
  const found = new Set<string>();
  let edge: Buffer = Buffer.alloc(0);
  return {
    add(chunk) {
      if (longest === 0) return;
      const joined = Buffer.concat([edge, chunk]);
      for (const { text, bytes } of needles) if (joined.includes(bytes)) found.add(text);
      edge = Buffer.from(joined.subarray(Math.max(0, joined.length - longest + 1)));
    },
    hasFound: (text) => found.has(text),
  };
}
