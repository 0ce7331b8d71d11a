import { RalphError } from "../../../core/ralph-error.ts";
import { mergeLayers } from "../../../core/text/merge.ts";
import { parseSettings } from "../../../core/settings/parse-settings.ts";
import { redacted } from "../../../core/settings/redact.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import { inspectSettings, problemLine } from "../../../core/settings/settings-problems.ts";
import { jsonText } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { chooseAdapter } from "../../../shell/agents/registry.ts";
import { installedAgents } from "../../../shell/agents/installed-agents.ts";
import { findChecks } from "../../../shell/settings/find-checks.ts";
import { createDisk } from "../../../shell/lib/disk.ts";
import { createProjectDisk } from "../../../shell/lib/project-disk.ts";
import type { Disk } from "../../../shell/ports.ts";
import { projectSettingsFiles, readEverySettingsFile } from "../../../shell/settings/settings-files.ts";
import { allAgents } from "../../../shell/wire.ts";
import { writeSettings } from "../../../shell/settings/write-settings.ts";
import type { Input } from "../input/command-spec.ts";
import {
  askSettings,
  type InitialSettings,
  isYes,
  type Offers,
  settingsWithoutQuestions,
} from "../init/ask-settings.ts";
import { type Dialogue, DialogueEnded, openDialogue } from "../input/dialogue.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";

const [baseFile, localFile] = projectSettingsFiles;
const interruptedCode = 130;

/** `ralph init`: writes settings for a run from answers, or with `--yes` from what it finds. */
export default async function init({ options }: Input): Promise<number> {
  const projectDir = projectDirOption(options);
  const disk = createProjectDisk(createDisk(), projectDir);
  const isForced = isOn(options, "force");
  if (isOn(options, "yes")) return writeWithoutQuestions(disk, projectDir, isForced);
  if (!process.stdin.isTTY)
    throw new RalphError(
      "usage",
      "`ralph init` asks questions, and standard input is not a terminal.",
      "Run it in a terminal, or without questions: ralph init --yes",
    );
  const existing = isForced ? [] : await readExisting(disk, projectDir);
  const offers = await findOffers(disk, projectDir);
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
  if (!isForced && (await readFiles(disk, projectDir)).isThere)
    throw new RalphError("settings", `${baseFile} already exists.`, "Replace it with: ralph init --yes --force");
  const { agents, checks } = await findOffers(disk, projectDir);
  const command = agents[0] ?? knownAgents()[0]?.commands[0] ?? "";
  await write(disk, projectDir, settingsWithoutQuestions(command, checks));
  const found = agents.length > 0 ? command : `${command} (not found on this machine)`;
  process.stderr.write(
    cleanLines([`Agent: ${found}`, `Guardrails: ${checks.length > 0 ? checks.join(", ") : "none found"}`]),
  );
  return 0;
}

async function write(disk: Disk, projectDir: string, settings: InitialSettings): Promise<void> {
  parseSettings([{ source: baseFile, value: settings }]);
  await writeSettings(disk, projectDir, settings);
  process.stdout.write(`Settings written to ${baseFile}\n`);
  const { command, flags } = settings.agent;
  const { editFlags } = chooseAdapter(command, allAgents([]));
  if (editFlags !== null && flags.length === 0)
    process.stderr.write(`If ${command} may not edit files, add to agent.flags: ${editFlags}\n`);
}

/** The layers of the project when its settings exist and are valid (S1-18). */
async function readExisting(disk: Disk, projectDir: string): Promise<SettingsLayer[]> {
  const { isThere, layers, unreadable } = await readFiles(disk, projectDir);
  if (!isThere) return [];
  const problems = [...unreadable.map((file) => ({ ...file, key: "" })), ...inspectSettings(layers).problems];
  if (problems.length === 0) return layers;
  const hint = "Correct it, or replace it with: ralph init --force";
  throw new RalphError("settings", problems.map(problemLine).join("\n"), hint);
}

async function readFiles(disk: Disk, projectDir: string) {
  // Without environment variables only the project's files count here, not the user's.
  const { layers, unreadable } = await readEverySettingsFile({ disk, projectDir, env: {} });
  return { isThere: [...layers, ...unreadable].some(({ source }) => source === baseFile), layers, unreadable };
}

async function isOverwriteWanted(dialogue: Dialogue, existing: readonly SettingsLayer[]): Promise<boolean> {
  const merged = existing.reduce<unknown>((base, { value }) => mergeLayers(base, value), {});
  const hasLocal = existing.some(({ source }) => source === localFile);
  process.stdout.write(`${jsonText(redacted(merged), 2)}\n`);
  process.stdout.write(`Loaded from ${baseFile}${hasLocal ? " (with local overlay from settings.local.json)" : ""}\n`);
  return isYes(dialogue, "Overwrite? (y/N): ");
}

async function findOffers(disk: Disk, projectDir: string): Promise<Offers> {
  const [agents, checks] = await Promise.all([
    installedAgents(knownAgents(), process.env),
    findChecks(disk, projectDir),
  ]);
  return { agents, checks };
}

/** The scripted agent is part of this program; a program with its name on the PATH is a different one. */
function knownAgents() {
  return allAgents([]).known.filter(({ name }) => name !== "sim");
}
