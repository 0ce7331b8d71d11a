import { RalphError } from "../../core/ralph-error.ts";
import { parseSettings } from "../../core/settings/parse-settings.ts";
import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import { inspectSettings, problemLine } from "../../core/settings/settings-problems.ts";
import { type Settings, settingsSchema } from "../../core/settings/settings.ts";
import { splitFlags } from "../../core/text/split-flags.ts";
import type { PermissionMode } from "../../shell/agents/adapter.ts";
import { installedAgents } from "../../shell/agents/installed-agents.ts";
import { chooseAdapter } from "../../shell/agents/registry.ts";
import { findProgram } from "../../shell/lib/find-program.ts";
import { createProjectDisk } from "../../shell/lib/project-disk.ts";
import type { Machine } from "../../shell/machine.ts";
import type { Disk } from "../../shell/ports.ts";
import { findChecks } from "../../shell/settings/find-checks.ts";
import { projectSettingsFiles, readEverySettingsFile } from "../../shell/settings/settings-files.ts";
import { writeSettings } from "../../shell/settings/write-settings.ts";
import { allAgents } from "../../shell/wire-agents.ts";

/** What this machine and this repository suggest. */
export type Offers = { agents: readonly string[]; checks: readonly string[] };

type Guardrail = Settings["guardrails"][number];

/** The settings that a project begins with. */
export type InitialSettings = Pick<
  Settings,
  "maximumIterations" | "completionResponse" | "outputTruncateChars" | "streamAgentOutput"
> & {
  agent: { command: string; flags: string[] };
  guardrails: Guardrail[];
  scm?: { command: string; tasks: string[] };
};

/** The file that the first settings are written to, and the one that people keep to themselves. */
export const firstSettingsFiles = projectSettingsFiles;
const [baseFile] = firstSettingsFiles;

/** The disk that first settings are read from and written to: nothing goes through a link of the project. */
export function projectDiskOf({ disk }: Pick<Machine, "disk">, projectDir: string): Disk {
  return createProjectDisk(disk, projectDir);
}

/** The agents that are installed and the checks that the project has. */
export async function findOffers(disk: Disk, projectDir: string, env: NodeJS.ProcessEnv): Promise<Offers> {
  const [agents, checks] = await Promise.all([installedAgents(knownAgents(), env), findChecks(disk, projectDir)]);
  return { agents, checks };
}

/** The layers of the project when its settings exist and are valid (S1-18); throws when they are not. */
export async function existingSettings(disk: Disk, projectDir: string): Promise<SettingsLayer[]> {
  const { isThere, layers, unreadable } = await readFiles(disk, projectDir);
  if (!isThere) return [];
  const problems = [...unreadable.map((file) => ({ ...file, key: "" })), ...inspectSettings(layers).problems];
  if (problems.length === 0) return layers;
  const hint = "Correct it, or replace it with: ralph init --force";
  throw new RalphError("settings", problems.map(problemLine).join("\n"), hint);
}

/** Settings without a question: the first agent that is found, all checks, no delivery. Throws where there are some. */
export async function offeredSettings(
  disk: Disk,
  projectDir: string,
  { offers, isForced }: { offers: Offers; isForced: boolean },
): Promise<InitialSettings> {
  if (!isForced && (await readFiles(disk, projectDir)).isThere)
    throw new RalphError("settings", `${baseFile} already exists.`, "Replace it with: ralph init --yes --force");
  const command = offers.agents[0] ?? knownAgents()[0]?.commands[0] ?? "";
  return settingsWithoutQuestions(command, offers.checks);
}

/** An agent with its proposed permissions, and every check as a guardrail. */
export function settingsWithoutQuestions(command: string, checks: readonly string[]): InitialSettings {
  const guardrails = checks.map((check): Guardrail => ({ command: check, failAction: "APPEND" }));
  const [mode] = permissionModes(command);
  return { ...initialSettings(command), agent: { command, flags: [...(mode?.flags ?? [])] }, guardrails };
}

/** What the agent of a command may be allowed, the proposed mode first. Empty: nothing is known of it. */
export function permissionModes(command: string): readonly PermissionMode[] {
  return chooseAdapter(command, allAgents([])).permissionModes ?? [];
}

/** The proposed mode where flags of a person leave open what the agent may do; null: they decide it, or nothing is known. */
export function proposedMode({ command, flags }: InitialSettings["agent"]): PermissionMode | null {
  const [mode] = permissionModes(command);
  const missing = chooseAdapter(command, allAgents([])).unattendedFlags?.(splitFlags(flags).argv) ?? [];
  return mode === undefined || missing.length === 0 ? null : mode;
}

/** The mode that these flags contain; null when they are not one of those known. */
export function permissionModeOf({ command, flags }: InitialSettings["agent"]): PermissionMode | null {
  const given = ` ${splitFlags(flags).argv.join(" ")} `;
  const isGiven = (mode: PermissionMode): boolean =>
    mode.flags.length === 0 ? flags.length === 0 : given.includes(` ${mode.flags.join(" ")} `);
  return permissionModes(command).find(isGiven) ?? null;
}

/** The programs of first settings that this machine does not have, each with what it is needed for. */
export async function missingPrograms(
  { agent, guardrails, scm }: InitialSettings,
  place: { env: NodeJS.ProcessEnv; projectDir: string },
): Promise<{ program: string; neededBy: string }[]> {
  const needed = [
    { program: agent.command, neededBy: "the agent" },
    ...guardrails.map(({ command }) => ({ program: programOf(command), neededBy: `the guardrail "${command}"` })),
    ...(scm === undefined ? [] : [{ program: scm.command, neededBy: "delivery" }]),
  ];
  const isMissing = async (program: string): Promise<boolean> =>
    program !== "" &&
    !ownPrograms().includes(program) &&
    (await findProgram(program, { env: place.env, directory: place.projectDir })) === null;
  const found = await Promise.all(needed.map(({ program }) => isMissing(program)));
  const missing = needed.filter((_, index) => found[index]);
  return missing.filter(({ program }, index) => missing.findIndex((each) => each.program === program) === index);
}

/** The program that a shell line starts; empty where only a shell can tell. */
function programOf(line: string): string {
  const [first = ""] = line.trim().split(/\s+/);
  return /^[\w./+-]+$/.test(first) && !shellWords.has(first) ? first : "";
}

const shellWords = new Set(["test", "true", "false", "cd", "exit", "if", "for", "while", "set", "export", "echo", "."]);

/** Agents that are part of this program need no file. */
function ownPrograms(): string[] {
  return allAgents([]).known.flatMap(({ name, commands }) => (name === "sim" ? commands : []));
}

/** The defaults with an agent. */
export function initialSettings(command: string): InitialSettings {
  const { maximumIterations, completionResponse, outputTruncateChars, streamAgentOutput } = settingsSchema.parse({});
  return {
    maximumIterations,
    completionResponse,
    outputTruncateChars,
    streamAgentOutput,
    agent: { command, flags: [] },
    guardrails: [],
  };
}

/** Writes the first settings, valid ones only. */
export async function writeFirstSettings(disk: Disk, projectDir: string, settings: InitialSettings): Promise<void> {
  parseSettings([{ source: baseFile, value: settings }]);
  await writeSettings(disk, projectDir, settings);
}

async function readFiles(disk: Disk, projectDir: string) {
  // Without environment variables only the project's files count here, not the user's.
  const { layers, unreadable } = await readEverySettingsFile({ disk, projectDir, env: {} });
  return { isThere: [...layers, ...unreadable].some(({ source }) => source === baseFile), layers, unreadable };
}

/** The scripted agent is part of this program; a program with its name on the PATH is a different one. */
function knownAgents() {
  return allAgents([]).known.filter(({ name }) => name !== "sim");
}
