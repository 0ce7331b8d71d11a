/** The languages whose test files and code can be read token by token. */
export type Language = "javascript" | "python" | "go" | "rust" | "c" | "java" | "kotlin" | "ruby";

/** The language of a file by the end of its name; null for a file that is not read as code. */
export function languageOf(path: string): Language | null {
  const extension = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  return extensions.get(extension) ?? null;
}

/** Whether the types of the language reject a number that is too large or a value of another kind. */
export function isTyped(language: Language): boolean {
  return !["javascript", "python", "ruby"].includes(language);
}

const endings: readonly (readonly [Language, string])[] = [
  ["javascript", "js jsx mjs cjs ts tsx mts cts"],
  ["python", "py pyi"],
  ["go", "go"],
  ["rust", "rs"],
  ["c", "c h cc cpp cxx hh hpp hxx"],
  ["java", "java"],
  ["kotlin", "kt kts"],
  ["ruby", "rb rake"],
];

const extensions = new Map(
  endings.flatMap(([language, names]) => names.split(" ").map((name): [string, Language] => [name, language])),
);
