/** The file of a session: its id where that is a harmless name, else its characters by code, cut and told apart. */
export function sessionFileName(sessionId: string): string {
  // Upper case is written by code, because some file systems do not tell it from lower case.
  const name = sessionId.replaceAll(/[^a-z0-9-]/g, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `_${byte.toString(16).padStart(2, "0")}`).join(""),
  );
  return name.length <= nameCharsMax ? `session-${name}.json` : `session-${name.slice(0, 80)}-${sum(sessionId)}.json`;
}

/** File systems end a name at 255 bytes; the lock and a corrupt copy add to it. */
const nameCharsMax = 160;

/** Two runs of FNV-1a over the characters; the record names its session, so a collision is refused, not mixed up. */
function sum(text: string): string {
  const fold = (start: number): number => {
    let hash = start;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return hash >>> 0;
  };
  return fold(0x811c9dc5).toString(16).padStart(8, "0") + fold(0x2f0b4a17).toString(16).padStart(8, "0");
}
