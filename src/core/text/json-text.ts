/** One value on one line. JSON leaves some codes as they are that a terminal obeys; escaped they mean the same. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value).replaceAll(
    /[\u007F-\u009F\u2028-\u202E\u2066-\u2069]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}
