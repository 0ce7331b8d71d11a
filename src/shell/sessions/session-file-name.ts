/** The file in which an earlier version kept a session; other files of a session have the same name, begun otherwise. */
export function sessionFileName(sessionId: string): string {
  return `session-${sessionName(sessionId)}.json`;
}

/** The folder of a session, among those of all hosts. */
export function sessionFolderName(host: string, sessionId: string): string {
  return `${harmless(host).slice(0, hostCharsMax)}-${sessionName(sessionId)}`;
}

/** Whether a folder can be that of a session, whichever host it lives in. */
export function isFolderOf(name: string, sessionId: string): boolean {
  return name.endsWith(`-${sessionName(sessionId)}`);
}

/** Where the folders of ended loops lie until a command imports them into the store, beside those of living ones. */
export const endedFolderName = "ended";

/** Session runs with lines that do not fold: in the store as far as they do, here whole, for people to look at. */
export const unusableFolderName = "unusable";

const hostCharsMax = 40;

/** A session's id where that is a harmless name, else its characters by code, cut and told apart. */
function sessionName(sessionId: string): string {
  const name = harmless(sessionId);
  return name.length <= nameCharsMax ? name : `${name.slice(0, 80)}-${sum(sessionId)}`;
}

/** Upper case is written by code, because some file systems do not tell it from lower case. */
function harmless(text: string): string {
  return text.replaceAll(/[^a-z0-9-]/g, (character) =>
    [...new TextEncoder().encode(character)].map((byte) => `_${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}

/** File systems end a name at 255 bytes; the host, the lock and a corrupt copy add to it. */
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
