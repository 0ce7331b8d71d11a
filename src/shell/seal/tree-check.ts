import { join } from "node:path";
import type { ProjectFiles } from "../../core/verification/reports/follow-command.ts";
import type { ReportContent } from "../../core/verification/reports/test-case.ts";
import { makePassingFolder } from "../lib/passing-folder.ts";
import { removeTree } from "../lib/remove-tree.ts";
import { type CommandEnd, shellArgv } from "../processes/run-check-command.ts";
import { prepareReport, readReport } from "./copy/report-file.ts";
import { reportCheck, type ShellRun } from "./reported-check.ts";

/** How a command is started in the project: with variables beside those of ralph. */
export type StartInTree = (given: {
  run: ShellRun;
  variables: Readonly<Record<string, string>>;
}) => Promise<CommandEnd>;

/** A check in the project's own folder. `isInBase`: whether a path is one of the project's files, and no output. */
export type TreeCheck = {
  command: string;
  files: ProjectFiles;
  project: string;
  isInBase: (path: string) => boolean;
};

/** Runs a check in the project and reads the report of its tests as in a sealed copy. */
export async function runTreeCheck(
  { command, files, project, isInBase }: TreeCheck,
  start: StartInTree,
): Promise<{ end: CommandEnd; report: ReportContent | null }> {
  const folder = makePassingFolder("seal");
  try {
    const reported = reportCheck({ command, files, reportPath: join(folder, "report"), cwd: project });
    if (reported === null)
      return { end: await start({ run: { argv: shellArgv(command) }, variables: {} }), report: null };
    const { place } = reported;
    const known = await prepareReport(place, isInBase);
    const startedAt = Date.now();
    const end = await start(reported);
    const found = await readReport(place, { root: place.path, startedAt, known });
    return { end, report: reported.read(found) };
  } finally {
    removeTree(folder);
  }
}
