/** Takes text in pieces and gives back what stays of it; `end` gives what was still held. */
export type TextFilter = { text(chunk: string): string; end(): string };
