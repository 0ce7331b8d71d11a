/** What was thrown, as text. Anything can be thrown, also what has no text. */
export function thrownText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "something that has no text";
  }
}
