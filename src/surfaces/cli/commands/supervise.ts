import { findTaskFolder } from "../../../app/prepare/find-task-folder.ts";
import { loadRunSettings } from "../../../app/prepare/load-run-settings.ts";
import { prepareSupervise, type SuperviseWish } from "../../../app/prepare/prepare-supervise.ts";
import { startHere } from "../../../app/start/start-here.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import { mergeLayers } from "../../../core/text/merge.ts";
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
import { tellPlan } from "../live/tell-plan.ts";

/** `ralph supervise`: restarts an agent until DONE exists. */
export default async function supervise(input: Input): Promise<number> {
  const { options } = input;
  const projectDir = projectDirOption(options);
  const program = wireProgram();
  const ids = { projectId: textOption(options, "project"), taskId: textOption(options, "task") };
  const folder = findTaskFolder(program, { projectDir, taskDir: textOption(options, "taskDir"), ...ids });
  const display = { ...displayOptions(options), isDated: true };
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
    ...ids,
    isFresh: isOn(options, "fresh"),
  });
  if (isOn(options, "dryRun")) return tellPlan(program, frozen, display.isJson);
  const { settings } = frozen;
  const order = { frozen, talk: stampedTalk(display), isDirtyAllowed: true };
  return driveHere({ program, settings, display }, (machine, live) => startHere(machine, order, live));
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
