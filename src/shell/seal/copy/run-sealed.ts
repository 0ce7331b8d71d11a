import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Processes } from "../../ports.ts";
import { namespaceArgv, type NamespaceRules } from "../namespace/namespace.ts";
import { removeTree } from "../../lib/remove-tree.ts";
import { fileStamp } from "./file-stamp.ts";
import { type FoundReport, prepareReport, readReport, type ReportSource } from "./report-file.ts";
import type { SealedCopy } from "./sealed-copy.ts";

/** Where one command runs: like the work tree of the agent for whoever starts it, and sealed. */
export type SealedContext = {
  processes: Pick<Processes, "start">;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Where this run's report goes, when the runner is told so: nobody can have written it before. */
  reportPath: string;
};

/** One run in a prepared copy. */
export type SealedRunOptions = {
  copy: SealedCopy;
  processes: Pick<Processes, "start">;
  /** All of it, see `sealedEnvironment`. */
  env: Readonly<Record<string, string>>;
  /** From the top of the copy; empty for the top itself. */
  directory: string;
  /** Null: no namespace here, the command runs in the plain copy. */
  namespace: Omit<NamespaceRules, "folder" | "writable"> | null;
  /** Files that nobody may write during the run, from the top of the copy. */
  protectedFiles: readonly string[];
  /** Whether the copy was made with a file at a path from its top; others are left by the commands before. */
  isInTree: (path: string) => boolean;
  /** Which report the place gets; null: the exit code is all there is. */
  report: ((place: Pick<SealedContext, "reportPath" | "cwd">) => ReportSource) | null;
};

/** What a run came to. `touched`: protected files that were written or exchanged meanwhile, also when they were put back. */
export type SealedRun<End> = { end: End; report: FoundReport | null; touched: string[] };

/** Runs one command of a check in a copy. `run` starts it with what the place gives it and returns how it ended. */
export async function runSealed<End>(
  options: SealedRunOptions,
  run: (place: SealedContext) => Promise<End>,
): Promise<SealedRun<End>> {
  const { copy } = options;
  const reports = join(copy.root, "own", `report-${randomBytes(12).toString("hex")}`);
  mkdirSync(reports, { recursive: true, mode: 0o700 });
  const cwd = join(copy.folder, options.directory);
  const place = { cwd, env: options.env, reportPath: join(reports, "report") };
  const expected = options.report?.(place) ?? null;
  const isKept = (path: string): boolean => options.isInTree(join(options.directory, path));
  const known = expected === null ? null : await prepareReport(expected, isKept);
  const before = options.protectedFiles.map((path) => fileStamp(join(copy.folder, path)));
  const startedAt = Date.now();
  try {
    const end = await run({ ...place, processes: placedProcesses(options, reports) });
    const touched = options.protectedFiles.filter(
      (path, index) => fileStamp(join(copy.folder, path)) !== before[index],
    );
    const report =
      expected === null || known === null ? null : await readReport(expected, { root: copy.root, startedAt, known });
    return { end, report, touched };
  } finally {
    removeTree(reports);
  }
}

/** The port, with every start inside of the namespace. */
function placedProcesses({ processes, namespace, copy }: SealedRunOptions, reports: string): Pick<Processes, "start"> {
  if (namespace === null) return processes;
  const rules = { ...namespace, folder: copy.folder, writable: [copy.home, copy.temporary, reports] };
  return {
    start: (order) =>
      processes.start({ ...order, cwd: copy.root, argv: [...namespaceArgv(rules, order.cwd), ...order.argv] }),
  };
}
