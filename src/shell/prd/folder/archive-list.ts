import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { archiveName, archiveSummary } from "../../../core/prd/archive-summary.ts";
import { readTaskFile } from "../../../core/prd/list/read-task-file.ts";
import type { Disk } from "../../ports.ts";
import { readBytesFile, textBytesMax } from "../../lib/read-text-file.ts";
import type { Git } from "../../git/git.ts";
import { commitPaths, type PathsCommit } from "./commit-paths.ts";
import { freshFiles } from "./init-list.ts";
import { type RalphFolder, workFiles } from "./ralph-folder.ts";

/** What to archive, and under which name; a null label is the branch of the list. */
export type ArchiveOptions = { projectDir: string; folder: RalphFolder; label: string | null; date: string };

/** Where the archive is, its summary, and what became of the commit. */
export type ArchiveResult = { folder: string; summary: string; commit: PathsCommit };

/**
 * Puts the work files aside with a summary and begins afresh (S4-85, CW-4J). The archive is whole before anything is
 * reset; the prompt is copied and stays. Only these paths are committed.
 */
export async function archiveList(
  disk: Pick<Disk, "readText" | "writeAtomic">,
  git: Git,
  options: ArchiveOptions,
): Promise<ArchiveResult> {
  const { projectDir, folder, date } = options;
  const reading = readTaskFile((await disk.readText(join(folder.path, "tasks.json"))) ?? "");
  const label = archiveName(options.label ?? reading.file?.branchName ?? "");
  const progress = (await disk.readText(join(folder.path, "progress.txt"))) ?? "";
  const summary = archiveSummary({ label, reading, progress, archivedOn: date });
  const name = fillArchive(options, `${date}-${label}`, summary);
  const fresh = freshFiles({ projectDir, name: null, date });
  for (const [file, content] of Object.entries(fresh)) await disk.writeAtomic(join(folder.path, file), content);
  const paths = [`${archiveRoot}/${name}`, ...Object.keys(fresh).map((file) => `${folder.name}/${file}`)];
  return {
    folder: `${archiveRoot}/${name}`,
    summary,
    commit: await commitPaths(git, paths, `chore: archive ralph loop ${label}`),
  };
}

const archiveRoot = "ralph-archive";

/** Copies everything into a folder of a passing name and renames that at the end: half an archive is never taken for one. */
function fillArchive({ projectDir, folder }: ArchiveOptions, wanted: string, summary: string): string {
  const root = join(projectDir, archiveRoot);
  const passing = join(root, `.${wanted}.${process.pid}`);
  mkdirSync(passing, { recursive: true });
  try {
    for (const file of workFiles) copyFile(join(folder.path, file), join(passing, file));
    writeFileSync(join(passing, "summary.md"), summary);
    const name = freeName(root, wanted);
    renameSync(passing, join(root, name));
    return name;
  } catch (error) {
    rmSync(passing, { recursive: true, force: true });
    throw error;
  }
}

/** A missing work file is not part of the archive. */
function copyFile(from: string, to: string): void {
  const content = readBytesFile(from, { bytesMax: textBytesMax, links: "follow" });
  if (content !== null) writeFileSync(to, content);
}

/** The second archive of a day and a label ends in `-2`. */
function freeName(root: string, wanted: string): string {
  if (!existsSync(join(root, wanted))) return wanted;
  const numbers = Array.from({ length: archivesMax }, (_, index) => index + 2);
  const number = numbers.find((each) => !existsSync(join(root, `${wanted}-${each}`)));
  if (number === undefined) throw new RalphError("usage", `There are too many archives ${wanted}.`, "Give a --label.");
  return `${wanted}-${number}`;
}

/** Nobody archives one feature so often in a day. */
const archivesMax = 1000;
