import { isCode, isProduct, type SourceFile } from "./source-file.ts";

/** No source file is longer than a reader can hold in mind; functions are measured by oxlint. */
export function findLongFiles(files: readonly SourceFile[]): string[] {
  const long = files.filter((file) => isCode(file) && countLines(file.text) > linesMax);
  return long.map((file) => `${file.path}: ${countLines(file.text)} lines, at most ${linesMax}`);
}

/** Folders and files are kebab-case and named for what is in them. */
export function findBadFileNames(files: readonly SourceFile[]): string[] {
  return files.filter(isCode).flatMap((file) => {
    const parts = file.path.split("/");
    const base = parts.at(-1) ?? "";
    const problems = parts
      .filter((part) => !kebabCase.test(part))
      .map((part) => `${file.path}: ${part} is not kebab-case`);
    const isForbidden = forbiddenBases.test(base) && !allowedIndexes.includes(file.path);
    return isForbidden ? [...problems, `${file.path}: ${base} says nothing about its content`] : problems;
  });
}

/** Exported types are nouns of the domain, without a word that fits everything. */
export function findBadTypeNames(files: readonly SourceFile[]): string[] {
  return files.filter(isProduct).flatMap((file) =>
    [...file.text.matchAll(exportedType)]
      .map((match) => match[1] ?? "")
      .filter((name) => (emptyWords.test(name) || prefixed.test(name)) && !domainNames.includes(name))
      .map((name) => `${file.path}: ${name}`),
  );
}

/** STYLE: aim for 100 lines, never more than 400. */
const linesMax = 400;
const kebabCase = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
const forbiddenBases = /^(types|utils|helpers|constants|index)\.(ts|tsx|js)$/;
/** The two entries of the package: explicit named exports, no barrels for ourselves. */
const allowedIndexes = ["src/index.ts", "src/core/index.ts"];
const exportedType = /^export (?:abstract )?(?:type|interface|class) (\w+)/gm;
/** A context, options and a request say what they are; a place and an order could be any of them. */
const emptyWords = /(Manager|Service|Handler|Helper|Data|Info|Place|Order)s?$/;
/** What the process port is asked for, and where a role works. */
const domainNames = ["ProcessOrder", "RolePlace", "WorkPlaces"];
const prefixed = /^(I|T)[A-Z][a-z]/;

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
