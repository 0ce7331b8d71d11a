/** Longer headers are not written and count as broken when read: a reader must not wait for their end without limit. */
export const headerBytesMax = 64 * 1024;

/** Longer bodies are not written and count as broken when read; sixteen times the largest body known to be in use. */
export const bodyBytesMax = 16 * 1024 * 1024;
