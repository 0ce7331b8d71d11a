import { isCode, isTest, type SourceFile } from "./source-file.ts";

/** A test that is switched off by hand proves nothing; what a machine lacks is left out with `skipIf`. */
export function findSwitchedOffTests(files: readonly SourceFile[]): string[] {
  return findLines(
    files.filter((file) => isTest(file) && !isOwnRule(file)),
    /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|only|todo|fails)\b/,
  );
}

/** An open end names its issue; a known fault is not merged. */
export function findOpenEnds(files: readonly SourceFile[]): string[] {
  const own = files.filter((file) => isCode(file) && !isOwnRule(file));
  return [...findLines(own, /\bTODO\b(?!\s*\(?(?:issue )?#\d+)/), ...findLines(own, /\bFIXME\b/)];
}

/** Nothing of the machine the work was done on: no home, no checkout path, no package registry. */
export function findMachineTraces(files: readonly SourceFile[], checkout: string): string[] {
  const own = files.filter((file) => !isOwnRule(file));
  // A checkout in `/app` says nothing about its machine, and any text may name such a folder.
  const isGenericPath = checkout.split(/[\\/]/).filter((part) => part !== "").length < 2;
  return [
    ...findLines(own, machinePath),
    ...findLines(own, registry),
    ...(isGenericPath ? [] : findLines(own, new RegExp(`${escape(checkout)}(?![\\w-])`))),
  ];
}

/** A title states behaviour in a sentence; two words cannot. The rows of a table complete theirs. */
export function findShortTitles(files: readonly SourceFile[]): string[] {
  return files.filter(isTest).flatMap((file) =>
    [...file.text.matchAll(title)]
      .map((match) => match[2] ?? "")
      .filter((text) => !/[%$]/.test(text) && text.trim().split(/\s+/).length < 3)
      .map((text) => `${file.path}: "${text}"`),
  );
}

// Names that stand for any user are allowed: recorded inputs were scrubbed to them.
const machinePath =
  /(?:\/home\/(?!user\b|me\b|you\b|ada\b|bob\b)[a-z]\w*\/|\/Users\/(?!user\b|me\b|ada\b)\w+\/|\/root\/|\/work\/(?:main|shared)\b)/;
const registry = /registry\.npmjs|registry\.yarnpkg|"resolved": "|artifactory|\/\/npm\.pkg\.|jfrog/;
const title = /^\s*(?:it|test)(?:\.\w+\([^)]*\))?\(\s*(["'`])(.*?)\1/gm;

/** The rules and their tests spell out what they forbid. */
function isOwnRule(file: SourceFile): boolean {
  return file.path.startsWith("tests/tidy/");
}

function findLines(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    file.text
      .split("\n")
      .flatMap((line, index) =>
        pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
      ),
  );
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
