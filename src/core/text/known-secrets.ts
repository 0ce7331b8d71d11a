/** The value of a variable that must not be stored, and the variable's name. */
export type Secret = { name: string; value: string };

/** Shorter values occur by chance in ordinary words. */
const secretCharsMin = 8;

/**
 * The secrets that variables of these names hold, the longest first. A value that JSON writes differently counts in both
 * forms, because the streams of agents are JSON.
 */
export function knownSecrets(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly Secret[] {
  const found = new Map<string, string>();
  for (const name of names) {
    const value = env[name] ?? "";
    if (value.trim().length < secretCharsMin) continue;
    for (const form of [value, JSON.stringify(value).slice(1, -1)]) if (!found.has(form)) found.set(form, name);
  }
  return Array.from(found, ([value, name]) => ({ name, value })).toSorted(
    (first, second) => second.value.length - first.value.length,
  );
}

/** The replacement of a secret. */
export function secretMark({ name }: Pick<Secret, "name">): string {
  return `[redacted ${name}]`;
}

/** A whole text without the secrets. */
export function hideSecrets(text: string, secrets: readonly Secret[]): string {
  return secrets.length === 0 ? text : secretHider(secrets)(text).text;
}

/** A text without the secrets, where the first one was, and its end as far as that may begin one more. */
export type HiddenText = { text: string; firstAt: number | null; tail: string };

/** Hides secrets in many texts. */
export function secretHider(secrets: readonly Secret[]): (text: string) => HiddenText {
  const pattern = new RegExp(
    secrets.map(({ value }) => value.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join("|"),
    "g",
  );
  const names = new Map(secrets.map(({ value, name }) => [value, name]));
  return (text) => {
    let firstAt: number | null = null;
    let restAt = 0;
    const shown = text.replaceAll(pattern, (value: string, at: number) => {
      firstAt ??= at;
      restAt = at + value.length;
      return secretMark({ name: names.get(value) ?? "" });
    });
    return { text: shown, firstAt, tail: beginningOfSecret(text.slice(restAt), secrets) };
  };
}

/** The longest end of a text that a secret, or a longer one, may begin with. */
function beginningOfSecret(text: string, secrets: readonly Secret[]): string {
  let longest = 0;
  for (const { value } of secrets)
    for (let length = Math.min(value.length - 1, text.length); length > longest; length -= 1)
      if (text.endsWith(value.slice(0, length))) longest = length;
  return text.slice(text.length - longest);
}
