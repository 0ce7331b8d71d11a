import type { ReportContent, TestCase } from "../../core/verification/reports/test-case.ts";
import { planReport } from "../../core/verification/reports/plan-report.ts";
import type { ProjectFiles } from "../../core/verification/reports/follow-command.ts";
import { type CommandEnd, shellArgv } from "../processes/run-check-command.ts";
import type { CommandInCopy, OpenSeal, SealedContent } from "./open-seal.ts";
import type { FoundReport } from "./copy/report-file.ts";
import type { SealedContext } from "./copy/run-sealed.ts";
import { reportCheck, type ReportedCheck, reportPlace, type ShellRun } from "./reported-check.ts";

/** One command of a check in the copy. */
export type SealedCheck = SealedContent & {
  command: string;
  workingDir: string;
  turnMarker: string;
  /** What the commands before it left is cleared away. */
  isAfresh?: true;
};

/** How whoever judges the check starts its command. */
export type StartSealed = (given: { run: ShellRun; context: SealedContext }) => Promise<CommandEnd>;

/** How it ended, and the report of its tests; null: it gives none. */
export type SealedCheckEnd = { end: CommandEnd; report: ReportContent | null; touched: string[] };

/** Runs a check in the copy and reads the report of its tests, where its runner is known. */
export async function runSealedCheck(seal: OpenSeal, order: SealedCheck, start: StartSealed): Promise<SealedCheckEnd> {
  const files = await projectFiles(seal, order);
  const source = planReport({ command: order.command, files, file: "report" })?.how.source ?? null;
  let reported: ReportedCheck | null = null;
  const report: CommandInCopy["report"] = source === null ? null : (place) => reportPlace(source, place);
  const { command, turnMarker, workingDir, candidate, variant, overlay } = order;
  const content = { candidate, variant, ...(overlay === undefined ? {} : { overlay }) };
  const run = await seal.run(
    { ...content, turnMarker, workingDir, report },
    (context) => {
      const { reportPath, cwd } = context;
      reported = reportCheck({ command, files, reportPath, cwd });
      const env = { ...context.env, ...reported?.variables };
      return start({ run: reported?.run ?? { argv: shellArgv(command) }, context: { ...context, env } });
    },
    order.isAfresh === true ? "afresh" : undefined,
  );
  const { end, touched } = run;
  return { end, touched, report: readOf(reported, run.report) };
}

/** Apart from its caller, who cannot see that the callback has run. */
function readOf(reported: ReportedCheck | null, found: FoundReport | null): ReportContent | null {
  return reported?.read(found) ?? null;
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

/** The tests of a report that can be read. */
export function testsOf(report: ReportContent | null): TestCase[] | null {
  return report?.isReadable === true ? report.tests : null;
}
