import { dirname } from "node:path";
import type { ReportContent, TestCase } from "../../core/verification/reports/test-case.ts";
import { planReport, type ReportPlan } from "../../core/verification/reports/plan-report.ts";
import { readReports } from "../../core/verification/reports/read-report.ts";
import type { ProjectFiles } from "../../core/verification/reports/follow-command.ts";
import type { CommandEnd } from "../processes/run-check-command.ts";
import type { OpenSeal, SealedContent } from "./open-seal.ts";
import type { FoundReport } from "./copy/report-file.ts";
import type { SealedContext } from "./copy/run-sealed.ts";

/** One command of a check in the copy. */
export type SealedCheck = SealedContent & {
  command: string;
  workingDir: string;
  turnMarker: string;
  /** What the commands before it left is cleared away. */
  isAfresh?: true;
};

/** How whoever judges the check starts its command; all output of it goes to `onOutput`, too. */
export type StartSealed = (given: {
  command: string;
  context: SealedContext;
  onOutput: (chunk: Uint8Array) => void;
}) => Promise<CommandEnd>;

/** How it ended, and the report of its tests; null: it gives none. */
export type SealedCheckEnd = { end: CommandEnd; report: ReportContent | null; touched: string[] };

/** Output kept for a report that is printed; a suite of 100 000 tests prints about 10 MB. */
const printedBytesMax = 64 * 1024 * 1024;

/** Runs a check in the copy and reads the report of its tests, where its runner is known. */
export async function runSealedCheck(seal: OpenSeal, order: SealedCheck, start: StartSealed): Promise<SealedCheckEnd> {
  const files = await projectFiles(seal, order);
  const isPlanned = planReport({ command: order.command, files, file: "report" }) !== null;
  const printed: Uint8Array[] = [];
  let bytes = 0;
  let place: { plan: ReportPlan; folder: string } | null = null;
  const report = ({ reportPath }: { reportPath: string }) => ({
    kind: "folder" as const,
    path: dirname(reportPath),
    ending: "",
  });
  const { turnMarker, workingDir, candidate, variant, overlay } = order;
  const content = { candidate, variant, ...(overlay === undefined ? {} : { overlay }) };
  const run = await seal.run(
    { ...content, turnMarker, workingDir, report: isPlanned ? report : null },
    (context) => {
      const plan = planReport({ command: order.command, files, file: context.reportPath });
      place = plan === null ? null : { plan, folder: context.cwd };
      const env = plan === null ? context.env : { ...context.env, ...plan.how.variables };
      const onOutput = (chunk: Uint8Array): void => {
        if (plan?.how.source.kind !== "stream" || bytes > printedBytesMax) return;
        bytes += chunk.length;
        // The caller may use its buffer again.
        printed.push(chunk.slice());
      };
      return start({ command: plan?.how.command ?? order.command, context: { ...context, env }, onOutput });
    },
    order.isAfresh === true ? "afresh" : undefined,
  );
  const { end, touched } = run;
  return { end, touched, report: place === null ? null : readPlanned(place, run.report, printed) };
}

/** Manifests and makefiles of the copy: they say which runner a script starts. */
export async function projectFiles(seal: OpenSeal, content: SealedContent): Promise<ProjectFiles> {
  const { files } = await seal.written(content);
  const prefix = seal.record.directory === "" ? "" : `${seal.record.directory}/`;
  const texts = new Map<string, string>();
  for (const { path, object, mode } of files) {
    const inside = path.startsWith(prefix) ? path.slice(prefix.length) : null;
    if (inside === null || !planFiles.has(inside) || !mode.startsWith("100")) continue;
    texts.set(inside, await seal.text(object));
  }
  return (path) => texts.get(path) ?? null;
}

/** Files that say which runner a check starts. */
export const planFiles: ReadonlySet<string> = new Set(["package.json", "Makefile", "makefile", "GNUmakefile"]);

function readPlanned(
  { plan, folder }: { plan: ReportPlan; folder: string },
  found: FoundReport | null,
  printed: readonly Uint8Array[],
): ReportContent {
  if (plan.how.source.kind === "stream")
    return readReports(plan.format, [Buffer.concat(printed).toString("utf8")], { folder });
  if (found === null || found.kind === "none")
    return { isReadable: false, problem: missing[found === null ? "missing" : found.reason] };
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

/** The tests of a report that can be read. */
export function testsOf(report: ReportContent | null): TestCase[] | null {
  return report?.isReadable === true ? report.tests : null;
}
