/** Settings as they may be printed: values of keys and after flags that look like secrets are hidden. */
export function redacted(settings: unknown): unknown {
  return JSON.parse(
    JSON.stringify(settings, (key, value: unknown) => {
      if (typeof value === "string") return secretName.test(key) ? hidden : redactedText(value);
      if (!Array.isArray(value)) return value;
      const items: unknown[] = value;
      return items.map((item, index) => (isSecretFlag(items[index - 1]) && !isFlag(item) ? hidden : item));
    }),
  );
}

/** A line as it may be printed. */
export function redactedText(text: string): string {
  return text.replaceAll(secretShape, hidden);
}

const hidden = "[redacted]";
const secretName = /(?:key|token|secret|password)$/i;

/** A flag whose value is the next element. */
function isSecretFlag(flag: unknown): boolean {
  return typeof flag === "string" && flag.startsWith("-") && secretName.test(flag);
}

/** A flag where a value is expected: the flag before it takes none. */
function isFlag(item: unknown): boolean {
  return typeof item === "string" && /^(?:--[a-z][\w-]*|-[a-z])(?:=|$)/i.test(item);
}

/** `--api-key=…`, `TOKEN=…`, `x-api-key: …`, `Bearer …`, the usual key prefixes and the password of an address. */
const secretShape = new RegExp(
  [
    /(?<=(?:key|token|secret|password)(?:[= ]|:\s*)|bearer\s+)(?!--[a-z]|-[a-z](?:\s|$))[^\s'"]+/,
    // Not within a word or a flag: `--dangerously-skip-permissions` contains `sk`, too.
    /(?<![\w-])(?:sk[-_]|gh[op]_|github_pat_|xox[bp]-)[\w-]{12,}/,
    /(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gi",
);
