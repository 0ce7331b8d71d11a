import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { exitCodes } from "../../../core/run/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { FrozenRun } from "../../../core/settings/frozen-run.ts";
import { mergeLayers } from "../../../core/text/merge.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import type { Settings } from "../../../core/settings/settings.ts";
import {
  type RestartLimits,
  restartLimitsDefault,
  supervisedSettings,
  supervisePolicy,
} from "../../../core/settings/supervise-policy.ts";
import type { SupervisedTask } from "../../../core/supervise/supervised-task.ts";
import { cleanMessage } from "../../../core/text/clean-text.ts";
import { outcomeOf } from "../../../shell/drivers/outer-driver.ts";
import { startRun } from "../../../shell/drivers/start-run.ts";
import { headCommit } from "../../../shell/git/tree-fingerprint.ts";
import { idsOfFolder, type TaskFolder, taskFolderAt, taskFolderOf } from "../../../shell/supervise/task-folder.ts";
import { wire, wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { connect } from "../live/connect.ts";
import { displayOptions } from "../live/display-options.ts";
import { offerUnfinished } from "../input/offer-unfinished.ts";
import { readPrompt } from "../input/read-prompt.ts";
import { countOption, durationOption, isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { version } from "../../../app/version.ts";

/** How often children are looked at (S3-02). */
const pollMs = 1000;

/** `ralph supervise`: restarts an agent until DONE is there. */
export default async function supervise(input: Input): Promise<number> {
  const { options } = input;
  const projectDir = projectDirOption(options);
  const folder = taskFolder(options, projectDir);
  const display = displayOptions(options);
  const program = wireProgram();
  const [command, ...flags] = input.arguments;
  // The schema library is large, and only a new run has settings to check.
  const { loadSettings } = await import("../../../shell/settings/load-settings.ts");
  const { disk, env } = program;
  const loaded = await loadSettings({ disk, env, projectDir }, settingsGiven(options, command));
  for (const warning of loaded.warnings) process.stderr.write(`ralph: ${cleanMessage(warning)}\n`);
  const settings = supervisedSettings(loaded.settings);
  const hasTask = (await disk.readText(folder.taskFile)) !== null;
  const source = promptOptions(options, { folder, hasTask, hasCommand: command !== undefined });
  const prompt = source === null ? { kind: "text" as const, text: "" } : await readPrompt(disk, projectDir, source);
  const frozen: FrozenRun = {
    version,
    projectDir,
    prompt,
    settings: source === null ? withPromptOnStdin(settings) : settings,
    settingsFiles: loaded.files,
    policy: supervisePolicy(settings, restartLimits(options, loaded.layers, settings)),
    startCommit: await headCommit(program, projectDir),
    supervised: superviseOrder(options, folder, { settings, flags: command === undefined ? null : flags }),
  };
  const machine = await wire(program);
  const connection = connect(settings, display);
  const { id, state } = await connection.closeAfter(async () => {
    const resumed = await offerUnfinished(machine, folder.path, connection);
    return resumed ?? startRun(machine, frozen, connection);
  });
  const outcome = outcomeOf(state);
  if (!display.isJson && outcome.name !== "completed" && outcome.name !== "cancelled")
    process.stderr.write(`Go on with: ralph resume ${id}\n`);
  await machine.store.close();
  return exitCodes[outcome.name];
}

/** By `--task-dir`; by project and task below the root of all runs; else the project directory itself. */
function taskFolder(options: Options, projectDir: string): TaskFolder {
  const given = textOption(options, "taskDir");
  const [projectId, taskId] = [textOption(options, "project"), textOption(options, "task")];
  const root = process.env["JRUN_RUNS_DIR"] || join(homedir(), ".run-agent", "runs");
  const isById = given === null && projectId !== null && taskId !== null;
  const { path } = isById ? taskFolderOf(root, { projectId, taskId }) : taskFolderAt(resolve(given ?? projectDir));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return taskFolderAt(realpathSync(path));
  throw new RalphError("usage", `The task directory ${path} does not exist.`, `Make it first: mkdir -p ${path}`);
}

function superviseOrder(
  options: Options,
  folder: TaskFolder,
  { settings, flags }: { settings: Settings; flags: string[] | null },
): SupervisedTask {
  const inferred = idsOfFolder(folder);
  return {
    taskDir: folder.path,
    projectId: textOption(options, "project") ?? inferred.projectId,
    taskId: textOption(options, "task") ?? inferred.taskId,
    pollMs,
    onChildTimeout: settings.children.onTimeout,
    flags,
    isFresh: isOn(options, "fresh"),
  };
}

/** The flags that are settings too. */
function settingsGiven(options: Options, command: string | undefined): SettingsLayer {
  const { source, value } = readSettingFlags(options);
  const wait = durationOption(options, "childWait", "--child-wait");
  const given = {
    ...(command === undefined ? {} : { agent: { command } }),
    ...(wait === null ? {} : { children: { wait } }),
  };
  return { source, value: mergeLayers(value, given) };
}

/** An idle timeout counts only where somebody asked for one: here the default is none (CW-3A). */
function restartLimits(options: Options, layers: readonly SettingsLayer[], { agent }: Settings): RestartLimits {
  const isIdleGiven = layers.some(({ value }) => hasKey(hasKey(value, "agent"), "idleTimeout") !== undefined);
  const delay = textOption(options, "restartDelay");
  const restartDelayMs = delay === "0" ? 0 : durationOption(options, "restartDelay", "--restart-delay");
  return {
    restartsMax: countOption(options, "maxRestarts", "--max-restarts") ?? restartLimitsDefault.restartsMax,
    restartDelayMs: restartDelayMs ?? restartLimitsDefault.restartDelayMs,
    turnIdleMs: durationOption(options, "idleTimeout", "--idle-timeout") ?? (isIdleGiven ? agent.idleTimeout : null),
    turnWallMs: durationOption(options, "agentTimeout", "--agent-timeout") ?? agent.timeout,
  };
}

function hasKey(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(key) : undefined;
}

/** Null: a command that needs no prompt. */
function promptOptions(
  options: Options,
  place: { folder: TaskFolder; hasTask: boolean; hasCommand: boolean },
): { text: string } | { path: string } | null {
  const text = textOption(options, "prompt");
  const path = textOption(options, "promptFile");
  if (text !== null && path !== null) throw new RalphError("usage", "Both --prompt and --prompt-file are given.");
  if (text !== null) return { text };
  if (path !== null) return { path };
  if (place.hasTask) return { path: place.folder.taskFile };
  if (place.hasCommand) return null;
  throw new RalphError(
    "usage",
    `A prompt is missing, and there is no ${place.folder.taskFile}.`,
    "Give -p TEXT or -f FILE, write TASK.md, or name a command after --.",
  );
}

/** A command without a task is started exactly as it was given. */
function withPromptOnStdin(settings: Settings): Settings {
  return { ...settings, agent: { ...settings.agent, promptVia: "stdin" } };
}
