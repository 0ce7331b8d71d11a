/** Cuts a text into at most `count` pieces of about equal length, never inside a surrogate pair. */
export function cutText(text: string, count: number): string[] {
  const characters = Array.from(text);
  const length = Math.max(1, Math.ceil(characters.length / count));
  const pieces = Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(""),
  );
  return pieces.length === 0 ? [""] : pieces;
}
