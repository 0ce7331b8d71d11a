/** Takes text in chunks and returns what remains of it; `end` returns what was still held back. */
export type TextFilter = { text(chunk: string): string; end(): string };
