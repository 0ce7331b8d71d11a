import { warn } from "../input/start-talk.ts";
import { loadRunSettings } from "../../../app/prepare/load-run-settings.ts";
import { driveHere } from "../live/drive-here.ts";
import { contractOf } from "../../../app/prepare/plan-start.ts";
import { prepareRun } from "../../../app/prepare/prepare-run.ts";
import { readPrompt } from "../../../app/prepare/read-prompt.ts";
import { type TurnCommand, turnCommand } from "../../../app/prepare/turn-command.ts";
import { startHere } from "../../../app/start/start-here.ts";
import { redacted, redactedText } from "../../../core/settings/redact.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { contractLines } from "../../../core/contract/contract-lines.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { displayOptions } from "../live/display-options.ts";
import { requiredPrompt } from "../input/prompt-options.ts";
import { isOn, projectDirOption, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { stampedTalk } from "../live/stamped-talk.ts";
import { tellPlan } from "../live/tell-plan.ts";

/** `ralph run`: from prompt to verified completion. */
export default async function run(input: Input): Promise<number> {
  const { options } = input;
  const projectDir = projectDirOption(options);
  const given = await requiredPrompt(input);
  const flags = readSettingFlags(options);
  const display = displayOptions(options);
  const tell = (line: string): void =>
    void (display.isVerbose ? process.stderr.write(cleanLines([`[ralph] ${line}`])) : null);
  const program = wireProgram();
  const onLayer = (name: string): void => tell(`Loading settings from ${name}`);
  const loaded = await loadRunSettings(program, { projectDir, given: flags, onLayer, say: warn });
  const { settings } = loaded;
  const prompt = await readPrompt(program.disk, projectDir, given);
  const frozen = await prepareRun(program, { projectDir, prompt, loaded, heldOutFile: textOption(options, "heldOut") });
  tell(`Settings: ${JSON.stringify(redacted(settings))}`);
  for (const line of agentLines(turnCommand(program, frozen))) tell(redactedText(line));
  if (display.isVerbose) {
    const { policy } = await contractOf(program, frozen);
    for (const line of contractLines(policy)) tell(redactedText(line));
  }
  if (isOn(options, "dryRun")) return tellPlan(program, frozen, display.isJson);
  const order = { frozen, talk: stampedTalk(display), isDirtyAllowed: isOn(options, "allowDirty") };
  return driveHere({ program, settings, display }, (machine, live) => startHere(machine, order, live));
}

/** The command line of a turn, and flags that were split (S1-67, CW-1D). */
function agentLines(command: TurnCommand | null): string[] {
  if (command === null) return [];
  const { argv, split } = command;
  return [`Agent command: ${argv.join(" ")}`, ...split.map((flag) => `Flag split at its spaces: ${flag}`)];
}
