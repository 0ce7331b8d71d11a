import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf } from "./imports.ts";
import { isProduct, isTest, readRepository, type SourceFile } from "./source-file.ts";

const files = readRepository(resolve(join(import.meta.dirname, "../..")));

/** Modules without a test that calls them beside them, with what tests them instead. The list only shrinks. */
const testedElsewhere: Record<string, string> = {
  "src/core/assert.ts": "one line; every property test runs through it",
  "src/core/claims/found-claims.ts": "the scanner's own list, seen through claim-scanner.test.ts",
  "src/core/claims/own-sentence.ts": "a rule of tag-placement.ts, seen through its rows",
  "src/core/claims/same-text.ts": "seen through judge-claim.test.ts and the scanner's rows",
  "src/core/claims/tag-lexer.ts": "the scanner's lexer, seen through claim-scanner.test.ts",
  "src/core/engine/failed-turns.ts": "two steps of decide, seen through decide-failures.test.ts",
  "src/core/engine/gate-orders.ts": "how gates are ordered and answered, seen through decide-tasks.test.ts",
  "src/core/engine/orders.ts": "how orders are held, cut and ended; the tests of decide are about nothing else",
  "src/core/engine/requests.ts": "a step of decide, seen through decide-requests.test.ts",
  "src/core/run/state.ts": "an empty state; every test of decide begins with it",
  "src/core/verification/falsify/blocks.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/c.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/code.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/condition.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/equality.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/expected.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/go.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/javascript-matchers.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/javascript-tables.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/jvm.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/literals.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/named-values.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/rows.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/rust.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/falsify/snapshots.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/mutants/find-changes.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/syntax/scan-shell.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/syntax/scan-text.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
  "src/core/verification/test-path.ts":
    "seen through the rows of the languages, of scan-tokens.test.ts or of mutants-of.test.ts",
};

/** Product modules in these folders that export a function, while no test beside them bears their name or imports them. */
function findUntested(folders: readonly string[], exceptions: Record<string, string>): string[] {
  return files
    .filter((file) => isProduct(file) && folders.some((folder) => file.path.startsWith(folder)))
    .filter((file) => /^export (?:async )?function /m.test(file.text) && exceptions[file.path] === undefined)
    .filter((file) => !files.some((other) => isTest(other) && isBeside(other, file) && isAbout(other, file)))
    .map((file) => file.path);
}

function isBeside(test: SourceFile, file: SourceFile): boolean {
  return test.path.slice(0, test.path.lastIndexOf("/")) === file.path.slice(0, file.path.lastIndexOf("/"));
}

function isAbout(test: SourceFile, file: SourceFile): boolean {
  if (test.path === file.path.replace(/\.ts$/, ".test.ts")) return true;
  return importsOf(test).some(({ target }) => target === file.path);
}

describe("unit tests", () => {
  it("stand beside every module of core (S1-80)", () =>
    expect(findUntested(["src/core/"], testedElsewhere)).toEqual([]));

  it("need every exception that is listed", () => {
    const untested = findUntested(["src/core/"], {});
    expect(Object.keys(testedElsewhere).filter((path) => !untested.includes(path))).toEqual([]);
  });

  it("stand beside flags, settings files, completion, fail actions and truncation (S1-80)", () =>
    expect(
      findUntested(
        [
          "src/surfaces/cli/input/read-input.ts",
          "src/surfaces/cli/build-program.ts",
          "src/shell/settings/settings-files.ts",
          "src/shell/lib/captured-output.ts",
          "src/shell/gates/guardrail.ts",
        ],
        {},
      ),
    ).toEqual([]));
});
