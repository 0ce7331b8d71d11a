/**
 * Gives the marks that falsifying leaves at the end of texts the kind of letters that stand before them. Code that looks its answers up
 * in a test, by a pattern for words, capitals or digits, then finds the false answer as it finds the true one, and code that looks for
 * a mark finds none.
 */
export function disguiseMarks(text: string): string {
  return text.replaceAll(/([-_]?)falsified(\d+)/g, (_, joint: string, salt: string, at: number) => {
    const ending = endingFor(text.slice(Math.max(0, at - escapeCharsMax), at), Number(salt));
    return `${joint === "_" ? "_" : ""}${ending}`;
  });
}

/** `\x41` and `\101`, the escapes without an end of their own. */
const escapeCharsMax = 4;

/** No letter of it is a hexadecimal digit: an escape such as `\x41` would take it in. */
const letters = "ghijklmnopqrstuvwxyz";
const length = 5;

function endingFor(before: string, salt: number): string {
  const isEscape = before.includes("\\");
  if (/\d$/.test(before) && !isEscape) return `7${salt}`;
  let rest = (salt * 48_271 + 11) % letters.length ** length;
  let ending = "";
  for (let index = 0; index < length; index += 1) {
    ending += letters[rest % letters.length] ?? "";
    rest = Math.floor(rest / letters.length);
  }
  return /[A-Z]$/.test(before) && !isEscape ? ending.toUpperCase() : ending;
}
