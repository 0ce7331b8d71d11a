import { basename, join } from "node:path";
import { fillTemplate } from "../../../core/text/fill-template.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { withIgnoreLines } from "../../../core/settings/ignore-lines.ts";
import { ownIgnoreText } from "../../lib/keep-out-of-git.ts";
import type { Disk } from "../../ports.ts";
import type { RalphFolder } from "./ralph-folder.ts";
import { readTemplate } from "./templates.ts";

type Files = Pick<Disk, "readText" | "writeAtomic">;

/** What to begin a task list with. */
export type InitOptions = {
  projectDir: string;
  folder: RalphFolder;
  /** The feature's name, or null. */
  name: string | null;
  /** Today, as `2026-11-15`. */
  date: string;
  isForced: boolean;
};

/** Which files were written, and which were put aside for them. */
export type InitResult = { written: string[]; kept: string[] };

/** Begins a task list from the templates (S4-04, S4-84). What is there is refused, or with force put aside as `*.old`. */
export async function initList(disk: Files, options: InitOptions): Promise<InitResult> {
  const { projectDir, folder, isForced } = options;
  const files = { ...freshFiles(options), "prompt.md": readTemplate("prompt.md") };
  const present = await Promise.all(
    Object.entries(files).map(async ([name, content]) => ({
      name,
      content,
      former: await disk.readText(join(folder.path, name)),
    })),
  );
  const found = present.filter(({ former }) => former !== null).map(({ name }) => `${folder.name}/${name}`);
  if (found.length > 0 && !isForced)
    throw new RalphError(
      "usage",
      `${found.join(", ")} already ${found.length === 1 ? "exists" : "exist"}.`,
      "Start again with --force (existing files are kept as *.old), or finish with: ralph prd archive",
    );
  const replaced = present.filter(({ former, content }) => former !== null && former !== content);
  for (const { name, former } of replaced) await disk.writeAtomic(join(folder.path, `${name}.old`), former ?? "");
  for (const { name, content } of present) await disk.writeAtomic(join(folder.path, name), content);
  await ignoreRunFiles(disk, projectDir, folder);
  return {
    written: present.map(({ name }) => `${folder.name}/${name}`),
    kept: replaced.map(({ name }) => `${folder.name}/${name}.old`),
  };
}

/** PRD, list and log as a new feature has them. The prompt is not among them: people make it their own (CW-4J). */
export function freshFiles({ projectDir, name, date }: Pick<InitOptions, "projectDir" | "name" | "date">) {
  const values = { DATE: date, PROJECT_NAME: name ?? basename(projectDir) };
  const tasks = readTemplate("tasks-template.json");
  return {
    "prd.md": fillTemplate(readTemplate("prd-template.md"), values),
    "tasks.json": name === null ? tasks : tasks.replace("ralph/feature-name", `ralph/${branchPart(name)}`),
    "progress.txt": fillTemplate(readTemplate("progress-template.md"), values),
  };
}

/** A name as git takes it in a branch; letters and digits of any language stay. */
export function branchPart(name: string): string {
  const part = name
    .trim()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replaceAll(/\.{2,}/g, ".")
    .replaceAll(/^[-.]+|[-.]+$|\.lock$/g, "");
  if (part !== "") return part;
  throw new RalphError("usage", `--name "${name}" has no letter or digit for a branch.`, "Give a name such as login.");
}

/** Run files stay out of git; work files in `.ralph/`, which ignores everything, stay in (CB-03). */
async function ignoreRunFiles(disk: Files, projectDir: string, folder: RalphFolder): Promise<void> {
  const path = join(projectDir, ".gitignore");
  const lines = withIgnoreLines((await disk.readText(path)) ?? "");
  if (lines !== null) await disk.writeAtomic(path, lines);
  if (folder.name !== ".ralph") return;
  const own = join(folder.path, ".gitignore");
  const former = (await disk.readText(own)) ?? ownIgnoreText;
  const missing = ["!prd.md", "!tasks.json", "!progress.txt", "!prompt.md"].filter(
    (line) => !former.split(/\r?\n/).includes(line),
  );
  const text = former.endsWith("\n") || former === "" ? former : `${former}\n`;
  if (missing.length > 0) await disk.writeAtomic(own, `${text}${missing.join("\n")}\n`);
}
