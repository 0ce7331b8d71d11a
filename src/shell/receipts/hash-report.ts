import { createHash } from "node:crypto";
import { canonicalJson } from "../../core/text/canonical-json.ts";
import type { ReportContent } from "../../core/verification/reports/test-case.ts";

/** Names a report by what its tests showed: the same tests with the same results give the same hash, in whatever order they ran. */
export function hashReport(report: ReportContent | null): string | null {
  if (report === null || !report.isReadable) return null;
  const results = report.tests.map(({ file, suite, name, status }) => canonicalJson([file, suite, name, status]));
  return createHash("sha256").update(canonicalJson(results.toSorted())).digest("hex");
}
