import { falsifyFile } from "../../src/core/verification/falsify/falsify-file.ts";

/** The lines of a test file that are made false, without white space around them; numbers that depend on the place are N. */
export function changedLines(path: string, text: string): string[] {
  const before = text.split("\n");
  const after = (falsifyFile(path, text)?.text ?? text).split("\n");
  return after
    .filter((line, index) => line !== before[index])
    .map((line) =>
      line
        .trim()
        .replaceAll(/falsified\d+/g, "falsified")
        .replaceAll(/\b10\d{5}(?:\.\d+)?\b/g, "N"),
    );
}

/** The tests of a file: suites and name, and in how many places each was made false. */
export function testsOf(path: string, text: string): string[] {
  return (falsifyFile(path, text)?.blocks ?? []).map(
    ({ suites, name, fromLine, toLine, spotCount }) =>
      `${[...suites, name].join(" > ")}: ${fromLine}-${toLine}, ${spotCount}`,
  );
}
