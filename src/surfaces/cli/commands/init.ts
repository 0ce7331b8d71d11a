import { RalphError } from "../../../core/ralph-error.ts";
import { mergeLayers } from "../../../core/text/merge.ts";
import { redacted } from "../../../core/settings/redact.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import { jsonText } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { Disk } from "../../../shell/ports.ts";
import { wireFiles } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import {
  existingSettings,
  findOffers,
  firstSettingsFiles,
  type InitialSettings,
  offeredSettings,
  projectDiskOf,
  writeFirstSettings,
} from "../../../app/setup/first-settings.ts";
import { askSettings, isYes } from "../init/ask-settings.ts";
import { reportSettings } from "../init/report-settings.ts";
import { type Dialogue, DialogueEnded, openDialogue } from "../input/dialogue.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";

const [baseFile, localFile] = firstSettingsFiles;
const interruptedCode = 130;

/** `ralph init`: writes settings for a run from answers, or with `--yes` from what it finds. */
export default async function init({ options }: Input): Promise<number> {
  const projectDir = projectDirOption(options);
  const disk = projectDiskOf(wireFiles(), projectDir);
  const isForced = isOn(options, "force");
  if (isOn(options, "yes")) return writeWithoutQuestions(disk, projectDir, isForced);
  if (!process.stdin.isTTY)
    throw new RalphError(
      "usage",
      "`ralph init` asks questions, and standard input is not a terminal.",
      "Run it in a terminal, or without questions: ralph init --yes",
    );
  const existing = isForced ? [] : await existingSettings(disk, projectDir);
  const offers = await findOffers(disk, projectDir, process.env);
  // With redirected output a person must still see the questions.
  const dialogue = openDialogue(process.stdin, process.stdout.isTTY ? process.stdout : process.stderr);
  try {
    if (existing.length > 0 && !(await isOverwriteWanted(dialogue, existing))) return 0;
    const settings = await askSettings(dialogue, offers);
    dialogue.close();
    await write(disk, projectDir, settings);
    return 0;
  } catch (error) {
    if (!(error instanceof DialogueEnded)) throw error;
    process.stderr.write("\nAborted; nothing was written.\n");
    return interruptedCode;
  } finally {
    dialogue.close();
  }
}

async function writeWithoutQuestions(disk: Disk, projectDir: string, isForced: boolean): Promise<number> {
  const offers = await findOffers(disk, projectDir, process.env);
  await write(disk, projectDir, await offeredSettings(disk, projectDir, { offers, isForced }));
  return 0;
}

async function write(disk: Disk, projectDir: string, settings: InitialSettings): Promise<void> {
  await writeFirstSettings(disk, projectDir, settings);
  process.stdout.write(`Settings written to ${baseFile}\n`);
  process.stderr.write(cleanLines(await reportSettings(settings, { env: process.env, projectDir })));
}

async function isOverwriteWanted(dialogue: Dialogue, existing: readonly SettingsLayer[]): Promise<boolean> {
  const merged = existing.reduce<unknown>((base, { value }) => mergeLayers(base, value), {});
  const hasLocal = existing.some(({ source }) => source === localFile);
  process.stdout.write(`${jsonText(redacted(merged), 2)}\n`);
  process.stdout.write(`Loaded from ${baseFile}${hasLocal ? " (with local overlay from settings.local.json)" : ""}\n`);
  return isYes(dialogue, "Overwrite? (y/N): ");
}
