import { RalphError } from "../../core/ralph-error.ts";
import { parseSettings } from "../../core/settings/parse-settings.ts";
import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import { inspectSettings, problemLine } from "../../core/settings/settings-problems.ts";
import { type Settings, settingsSchema } from "../../core/settings/settings.ts";
import { installedAgents } from "../../shell/agents/installed-agents.ts";
import { chooseAdapter } from "../../shell/agents/registry.ts";
import type { Disk } from "../../shell/ports.ts";
import { findChecks } from "../../shell/settings/find-checks.ts";
import { projectSettingsFiles, readEverySettingsFile } from "../../shell/settings/settings-files.ts";
import { writeSettings } from "../../shell/settings/write-settings.ts";
import { allAgents } from "../../shell/wire.ts";

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

/** The file that the first settings are written to. */
const [baseFile] = projectSettingsFiles;

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

/** An agent, and every check as a guardrail. */
export function settingsWithoutQuestions(command: string, checks: readonly string[]): InitialSettings {
  const guardrails = checks.map((check): Guardrail => ({ command: check, failAction: "APPEND" }));
  return { ...initialSettings(command), guardrails };
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

/** Writes the first settings. Returns the flags that let the agent edit files, where it has such and none is given. */
export async function writeFirstSettings(
  disk: Disk,
  projectDir: string,
  settings: InitialSettings,
): Promise<string | null> {
  parseSettings([{ source: baseFile, value: settings }]);
  await writeSettings(disk, projectDir, settings);
  const { command, flags } = settings.agent;
  return flags.length === 0 ? chooseAdapter(command, allAgents([])).editFlags : null;
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
