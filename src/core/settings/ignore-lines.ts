/** Lines for a project's `.gitignore`: run files and local settings stay out, shared ones stay in (CW-1I, S1-78). */
export const ignoreLines = [".ralph/settings.local.json", ".ralph/*.log", ".ralph/prompt_*.txt", ".ralph-active"];

/** The text of a `.gitignore` with the missing lines added at its end; null when none is missing. */
export function withIgnoreLines(text: string): string | null {
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim().replace(/^\//, "")));
  const missing = ignoreLines.filter((line) => !present.has(line));
  if (missing.length === 0) return null;
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const start = text === "" || text.endsWith("\n") ? text : `${text}${newline}`;
  return `${start}${missing.map((line) => `${line}${newline}`).join("")}`;
}
