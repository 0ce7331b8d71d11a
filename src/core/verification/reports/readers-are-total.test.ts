import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../../tests/property-seed.ts";
import { readReport, type ReportFormat } from "./read-report.ts";
import type { ReportContent, TestCase } from "./test-case.ts";

fc.configureGlobal({ seed: propertySeed });

const folder = join(import.meta.dirname, "../../../../tests/fixtures/reports");
const formats: ReportFormat[] = ["junit", "node-test", "json", "go", "tap", "unittest", "libtest"];
const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(?:xml|json|tap|ndjson|txt)$/.test(path))
  .toSorted()
  .map((path) => readFileSync(join(folder, path), "utf8"));

const edit = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), length: fc.nat(200) }),
  fc.record({ kind: fc.constant("end" as const), at: fc.nat(), length: fc.nat() }),
  fc.record({ kind: fc.constant("twice" as const), at: fc.nat(), length: fc.nat(2000) }),
  fc.record({
    kind: fc.constantFrom(
      "<",
      ">",
      '"',
      "&",
      "\u0000",
      "\uFFFD",
      "{",
      "}",
      "\n",
      "    ",
      "ok 1 - x\n",
      "1..9\n",
      "<![CDATA[",
      "Ran 3 tests in 0s\n",
    ),
    at: fc.nat(),
    length: fc.constant(0),
  }),
);

function apply(text: string, { kind, at, length }: { kind: string; at: number; length: number }): string {
  const place = text.length === 0 ? 0 : at % text.length;
  if (kind === "end") return text.slice(0, place);
  if (kind === "cut") return text.slice(0, place) + text.slice(place + length);
  const added = kind === "twice" ? text.slice(place, place + length) : kind;
  return text.slice(0, place) + added + text.slice(place);
}

function faultsOf(content: ReportContent): unknown[] {
  if (content.isReadable) return content.tests.filter((test) => !isSound(test));
  return content.problem === "" ? ["a problem without words"] : [];
}

function isSound({ file, suite, name, status, isWhole }: TestCase): boolean {
  const isText = typeof suite === "string" && typeof name === "string" && (file === null || typeof file === "string");
  return isText && ["passed", "failed", "skipped"].includes(status) && (isWhole !== true || status === "failed");
}

describe("every reader", () => {
  it("gives a result for any damaged report, and never throws", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...formats),
        (text, edits, format) => {
          const content = readReport(format, edits.reduce(apply, text), { folder: "/project" });
          expect(faultsOf(content)).toEqual([]);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each(formats)("of %s reads a million repeated pieces in time that grows with their number", (format) => {
    const pieces = [
      "a",
      " ",
      "ok 1 - ",
      "test a ... ",
      "<a ",
      "{",
      "a (b.c) ... ",
      "--- PASS: ",
      "# ",
      "\\",
      "\n",
      "    ---\n",
    ];
    for (const piece of pieces) {
      const content = readReport(format, piece.repeat(200_000 / piece.length), { folder: "/project" });
      expect(content.isReadable && content.tests.length > 0).toBe(false);
    }
  });
});
