import { dirname } from "node:path";
import type { ProjectFiles } from "../../core/verification/reports/follow-command.ts";
import { planReport, type ReportHow, type ReportPlan } from "../../core/verification/reports/plan-report.ts";
import { readReports } from "../../core/verification/reports/read-report.ts";
import type { ReportContent } from "../../core/verification/reports/test-case.ts";
import { apartShellArgv, type CheckCommand, shellArgv } from "../processes/run-check-command.ts";
import type { FoundReport, ReportSource } from "./copy/report-file.ts";

/** A check that is asked for a report of its tests, and where the report goes. */
export type AskedCheck = { command: string; files: ProjectFiles; reportPath: string; cwd: string };

/** How the shell of a check is started, and who sees what it prints. */
export type ShellRun = Pick<CheckCommand, "argv" | "outputs" | "onStdout" | "onStderr">;

/** A check that writes a report: how it is started, and how its report is read once it has ended. */
export type ReportedCheck = {
  run: ShellRun;
  place: ReportSource;
  variables: Readonly<Record<string, string>>;
  /** `found`: what stood at the place of the report. Null: the check wrote none, and was not told to. */
  read: (found: FoundReport | null) => ReportContent | null;
};

/** Output kept for a report that is printed; a suite of 100 000 tests prints about 10 MB. */
const printedBytesMax = 64 * 1024 * 1024;

/** Asks a check for a report; null: it can write none, and its exit code is all there is. */
export function reportCheck({ command, files, reportPath, cwd }: AskedCheck): ReportedCheck | null {
  const plan = planReport({ command, files, file: reportPath });
  if (plan === null) return null;
  const printed: Uint8Array[] = [];
  const run = runOf(plan, printed);
  const { source, variables } = plan.how;
  const place = reportPlace(source, { reportPath, cwd });
  return { run, place, variables, read: (found) => readPlanned(plan, { found, printed, folder: cwd }) };
}

/** Where a planned report is looked for: where it was asked to go, or in the runner's own folders. */
export function reportPlace(
  source: ReportHow["source"],
  { reportPath, cwd }: Pick<AskedCheck, "reportPath" | "cwd">,
): ReportSource {
  if (source.kind === "folders") return { kind: "below", path: cwd, globs: source.globs };
  return { kind: "folder", path: dirname(reportPath), ending: "" };
}

/** A report on one of the outputs is read from that one alone: half a line on the other one would stand in its lines. */
function runOf({ how: { command, source } }: ReportPlan, printed: Uint8Array[]): ShellRun {
  if (source.kind !== "stream") return { argv: shellArgv(command) };
  let bytes = 0;
  const take = (chunk: Uint8Array): void => {
    if (bytes > printedBytesMax) return;
    bytes += chunk.length;
    // The caller uses its buffer again; the slice of a Buffer would be no copy.
    printed.push(Uint8Array.from(chunk));
  };
  if (source.stream === "both") return { argv: shellArgv(command), onStdout: take, onStderr: take };
  const reader = source.stream === "stdout" ? { onStdout: take } : { onStderr: take };
  return { argv: apartShellArgv(command), outputs: "apart", ...reader };
}

type Written = { found: FoundReport | null; printed: readonly Uint8Array[]; folder: string };

function readPlanned(plan: ReportPlan, { found, printed, folder }: Written): ReportContent | null {
  if (plan.how.source.kind === "stream")
    return readReports(plan.format, [Buffer.concat(printed).toString("utf8")], { folder });
  // A build without tests writes none into its own folders; whether the base had some tells what that means.
  if (plan.how.source.kind === "folders" && found?.kind === "none" && found.reason === "missing") return null;
  if (found === null || found.kind === "none")
    return { isReadable: false, problem: missing[found === null ? "missing" : found.reason] };
  if (plan.how.source.kind === "folders") return readReports(plan.format, found.texts, { folder });
  // Runners that write two reports of one run write halves of one text.
  return readReports(plan.format, [found.texts.join("\n")], { folder });
}

const missing: Record<Extract<FoundReport, { kind: "none" }>["reason"], string> = {
  missing: "is missing",
  "there-before": "was there before the check ran",
  "not-regular": "is not a regular file",
  "older-than-run": "is older than the check",
  "too-large": "is too large",
  outside: "lies outside of the copy",
};
