import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { loadRunSettings } from "../../../app/prepare/load-run-settings.ts";
import { prepareSupervise, type SuperviseWish } from "../../../app/prepare/prepare-supervise.ts";
import { startHere } from "../../../app/start/start-here.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import { mergeLayers } from "../../../core/text/merge.ts";
import { type TaskFolder, taskFolderAt, taskFolderOf } from "../../../shell/supervise/records/task-folder.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { promptOptions } from "../input/prompt-options.ts";
import {
  countOption,
  durationOption,
  durationTextOption,
  isOn,
  type Options,
  projectDirOption,
  textOption,
} from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { warn } from "../input/start-talk.ts";
import { displayOptions } from "../live/display-options.ts";
import { driveHere } from "../live/drive-here.ts";
import { stampedTalk } from "../live/stamped-talk.ts";

/** `ralph supervise`: restarts an agent until DONE exists. */
export default async function supervise(input: Input): Promise<number> {
  const { options } = input;
  const projectDir = projectDirOption(options);
  const folder = taskFolder(options, projectDir);
  const display = { ...displayOptions(options), isDated: true };
  const program = wireProgram();
  const [command, ...flags] = input.arguments;
  const given = settingsGiven(options, command);
  const loaded = await loadRunSettings(program, { projectDir, given, say: warn });
  const frozen = await prepareSupervise(program, {
    projectDir,
    folder,
    loaded,
    prompt: await promptOptions(options),
    flags: command === undefined ? null : flags,
    pollMs: durationOption(options, "pollInterval", "--poll-interval"),
    limits: limitOptions(options),
    projectId: textOption(options, "project"),
    taskId: textOption(options, "task"),
    isFresh: isOn(options, "fresh"),
  });
  const { settings } = frozen;
  const order = { frozen, talk: stampedTalk(display), isDirtyAllowed: true };
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

/** The flags that are settings too. */
function settingsGiven(options: Options, command: string | undefined): SettingsLayer {
  const { source, value } = readSettingFlags(options);
  const wait = durationTextOption(options, "childWait", "--child-wait");
  const given = {
    ...(command === undefined ? {} : { agent: { command } }),
    ...(wait === null ? {} : { children: { wait } }),
  };
  return { source, value: mergeLayers(value, given) };
}

function limitOptions(options: Options): SuperviseWish["limits"] {
  const delay = textOption(options, "restartDelay");
  return {
    restartsMax: countOption(options, "maxRestarts", "--max-restarts"),
    restartDelayMs: delay === "0" ? 0 : durationOption(options, "restartDelay", "--restart-delay"),
    turnIdleMs: durationOption(options, "idleTimeout", "--idle-timeout"),
    turnWallMs: durationOption(options, "agentTimeout", "--agent-timeout"),
  };
}
