/** Decodes the escapes of `$'..'`, `printf` and `echo -e`. */
export function decodeAnsi(text: string): string {
  return text.replaceAll(escapeSequence, (whole, body: string) => {
    const kind = body.charAt(0);
    if (kind === "x" || kind === "u" || kind === "U") return codePoint(body.slice(1), 16, whole);
    if (/[0-7]/.test(kind)) return codePoint(body, 8, whole);
    if (kind === "c") return String.fromCharCode(body.charCodeAt(1) & 31);
    return simple[kind] ?? whole;
  });
}

const escapeSequence = /\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,4}|c[\s\S]|[abeEfnrtv\\'"?])/g;

const simple: Readonly<Record<string, string>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001B",
  E: "\u001B",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

function codePoint(digits: string, base: number, otherwise: string): string {
  const value = Number.parseInt(digits, base);
  return value <= 0x10_ffff ? String.fromCodePoint(value) : otherwise;
}
