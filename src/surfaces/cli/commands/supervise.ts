import { startTalk } from "../input/start-talk.ts";
import { loadRunSettings, costWarnings } from "../../../app/prepare/load-run-settings.ts";
import { driveHere } from "../live/drive-here.ts";
import { freezeRun } from "../../../app/prepare/freeze-run.ts";
import { startHere } from "../../../app/start/start-here.ts";
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
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
import { idsOfFolder, type TaskFolder, taskFolderAt, taskFolderOf } from "../../../shell/supervise/task-folder.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { displayOptions } from "../live/display-options.ts";
import { readPrompt } from "../input/read-prompt.ts";
import { countOption, durationOption, isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";

/** How often children are checked (S3-02). */
const pollMs = 1000;

/** `ralph supervise`: restarts an agent until DONE exists. */
export default async function supervise(input: Input): Promise<number> {
  const { options } = input;
  const projectDir = projectDirOption(options);
  const folder = taskFolder(options, projectDir);
  const display = displayOptions(options);
  const program = wireProgram();
  const [command, ...flags] = input.arguments;
  const loaded = await loadRunSettings(program, { projectDir, given: settingsGiven(options, command) });
  const settings = supervisedSettings(loaded.settings);
  const hasTask = (await program.disk.readText(folder.taskFile)) !== null;
  const source = promptOptions(options, { folder, hasTask, hasCommand: command !== undefined });
  const prompt =
    source === null ? { kind: "text" as const, text: "" } : await readPrompt(program.disk, projectDir, source);
  const frozen = await freezeRun(program, {
    projectDir,
    prompt,
    settings: source === null ? withPromptOnStdin(settings) : settings,
    settingsFiles: loaded.files,
    policy: supervisePolicy(settings, restartLimits(options, loaded.layers, settings)),
    supervised: superviseOrder(options, folder, { settings, flags: command === undefined ? null : flags }),
  });
  for (const warning of loaded.warnings) startTalk.say(`ralph: ${warning}`);
  for (const warning of costWarnings(program, settings)) startTalk.say(warning);
  const order = { frozen, talk: startTalk, isDirtyAllowed: true };
  return driveHere({ program, settings, display }, (machine, live) => startHere(machine, order, live));
}

/** By `--task-dir`; by project and task below the root of all runs; else the project directory itself. */
function taskFolder(options: Options, projectDir: string): TaskFolder {
  const given = textOption(options, "taskDir");
  const [projectId, taskId] = [textOption(options, "project"), textOption(options, "task")];
  const root = process.env["JRUN_RUNS_DIR"] || join(homedir(), ".run-agent", "runs");
  const isById = given === null && projectId !== null && taskId !== null;
  const { path } = isById ? taskFolderOf(root, { projectId, taskId }) : taskFolderAt(resolve(given ?? projectDir));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return taskFolderAt(realpathSync(path));
  throw new RalphError("usage", `The task directory ${path} does not exist.`, `Create it first: mkdir -p ${path}`);
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

/** The idle timeout applies only when it is given: the default here is none (CW-3A). */
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

/** A command without a task is started exactly as given. */
function withPromptOnStdin(settings: Settings): Settings {
  return { ...settings, agent: { ...settings.agent, promptVia: "stdin" } };
}
