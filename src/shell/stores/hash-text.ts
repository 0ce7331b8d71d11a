/** The name of a blob: the SHA-256 of its text in UTF-8. */
export async function hashText(text: string): Promise<string> {
  // Loading it takes 7 ms, a quarter of an empty program's start: commands that only read must not pay for it.
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}
