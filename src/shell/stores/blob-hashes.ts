/** The blobs a stored JSON text refers to (see `TextRef`). A quotation inside a string is escaped and does not match. */
export function blobHashes(json: string): string[] {
  if (!json.includes('"blob":"')) return [];
  return Array.from(new Set(Array.from(json.matchAll(/"blob":"([0-9a-f]{64})"/g), (match) => match[1] ?? "")));
}
