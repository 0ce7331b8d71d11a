import type { ReportContent } from "../reports/test-case.ts";

/** How a report stands to the exit code of the run that wrote it. */
export type Agreement = "agrees" | "green-but-failed" | "red-but-succeeded" | "unreadable";

/**
 * Compares a report with the exit code. A green report of a run that failed hides something, and so does a red one of a run that
 * succeeded. A report without tests agrees with any code: that it is empty is refused for itself.
 */
export function judgeAgreement(content: ReportContent, exitCode: number): Agreement {
  if (!content.isReadable) return "unreadable";
  const isRed = content.tests.some(({ status }) => status === "failed");
  if (isRed) return exitCode === 0 ? "red-but-succeeded" : "agrees";
  return exitCode === 0 || content.tests.length === 0 ? "agrees" : "green-but-failed";
}
