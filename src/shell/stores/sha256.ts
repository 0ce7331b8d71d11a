import { createHash } from "node:crypto";

/** SHA-256 of a text in UTF-8, at once: a journal entry is hashed inside the transaction that stores it. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
