import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readReport, type ReportFormat } from "./read-report.ts";
import type { TestCase } from "./test-case.ts";

const folder = join(import.meta.dirname, "../../../../tests/fixtures/reports");

/** Which reader reads which files, by the end of their path. */
const formats: [RegExp, ReportFormat][] = [
  [/\.xml$/, "junit"],
  [/\.tap$/, "tap"],
  [/^node-.*\.xml$/, "node-test"],
  [/\.json$/, "json"],
  [/\.ndjson$/, "go"],
  [/^unittest.*\.txt$/, "unittest"],
  [/^cargo.*\.txt$/, "libtest"],
];

/** One test on one line: status, file, suite, name. */
function lineOf({ status, file, suite, name, isWhole, isRetried }: TestCase): string {
  const marks = [status, ...(isWhole === true ? ["whole"] : []), ...(isRetried === true ? ["retried"] : [])];
  return [marks.join(" "), file ?? "-", suite, name].join(" | ").replaceAll("\n", "\\n");
}

/** node:test writes two reports, and they are read together. */
function textOf(path: string, format: ReportFormat): string {
  const text = readFileSync(join(folder, path), "utf8");
  if (format !== "node-test") return text;
  return text + readFileSync(join(folder, path.replace(/xml$/, "tap")), "utf8");
}

const recorded = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .toSorted()
  .flatMap((path) =>
    formats.filter(([pattern]) => pattern.test(path)).map(([, format]): [string, ReportFormat] => [path, format]),
  );

describe("reports recorded from real runners (see tests/fixtures/reports/README.md)", () => {
  it.each(recorded)("%s is read as %s like its table of tests", async (path, format) => {
    const content = readReport(format, textOf(path, format), { folder: "/project" });
    const table = content.isReadable ? content.tests.map((test) => `${lineOf(test)}\n`).join("") : content.problem;
    await expect(table).toMatchFileSnapshot(join(folder, `${path}.${format}.tests`));
  });
});
