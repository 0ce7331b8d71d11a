import { loadRunSettings } from "../../../app/prepare/load-run-settings.ts";
import { preparePrd, settlePrd } from "../../../app/prepare/prepare-prd.ts";
import { startHere } from "../../../app/start/start-here.ts";
import { exitCodes, type Outcome } from "../../../core/run/outcome.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { mergeLayers } from "../../../core/text/merge.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { countOption, isOn, type Options, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { startTalk, warn } from "../input/start-talk.ts";
import { displayOptions } from "../live/display-options.ts";
import { driveHere } from "../live/drive-here.ts";
import { existingPrdContext } from "./prd-context.ts";
import { stampedTalk } from "../live/stamped-talk.ts";
import { tellPlan } from "../live/tell-plan.ts";

/** `ralph prd run`: works through a task list, every story implemented and reviewed in fresh contexts. */
export default async function run({ options }: Input): Promise<number> {
  const place = existingPrdContext(options);
  const display = displayOptions(options);
  const program = wireProgram();
  const { projectDir } = place;
  const loaded = await loadRunSettings(program, { projectDir, given: settingsGiven(options), say: warn });
  const prepared = await preparePrd(program, {
    ...place,
    loaded,
    isReviewSkipped: isOn(options, "skipReview"),
    heldOutFile: textOption(options, "heldOut"),
    capFlag: countOption(options, "reviewCap", "--review-cap") === null ? null : "--review-cap",
    safety: { isSandboxed: options["sandbox"] === true, isUnsafe: isOn(options, "unsafe") },
  });
  if (prepared.known !== null) return tellOutcome(prepared.known, display.isJson);
  const { frozen } = prepared;
  if (isOn(options, "dryRun")) return tellPlan(program, frozen, display.isJson);
  const how = { isBranchCreated: isOn(options, "createBranch"), say: startTalk.say };
  return driveHere({ program, settings: frozen.settings, display }, (machine, live) => {
    const prepare = (): Promise<void> => settlePrd(machine, prepared, how);
    const order = { frozen, talk: stampedTalk(display), isDirtyAllowed: isOn(options, "allowDirty"), prepare };
    return startHere(machine, order, live);
  });
}

function tellOutcome({ name, reason }: Outcome, isJson: boolean): number {
  const exitCode = exitCodes[name];
  if (isJson) process.stdout.write(jsonResult({ kind: "outcome", outcome: name, reason, exitCode }));
  else startTalk.say(`${name}: ${reason}`);
  return exitCode;
}

/** The flags that are settings too; some have other letters than in `ralph run` (CB-09). */
function settingsGiven(options: Options): SettingsLayer {
  const { source, value } = readSettingFlags(options);
  const cap = countOption(options, "reviewCap", "--review-cap");
  return { source, value: cap === null ? value : mergeLayers(value, { review: { cap } }) };
}
