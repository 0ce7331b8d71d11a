/** Split at commas, without empty parts; `--model,opus` are two elements. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
