import { preparePlanning } from "../../../app/prd/prepare-planning.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import type { SettingsLayer } from "../../../core/settings/settings-layer.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, type Options, textOption } from "../input/read-input.ts";
import { derivePlan } from "./derive-plan.ts";
import { existingPrdContext } from "./prd-context.ts";
import { talkPlan } from "./talk-plan.ts";

/** `ralph prd plan`: on a terminal an agent asks and writes; elsewhere the stories are derived from a finished PRD. */
export default async function plan({ options }: Input): Promise<number> {
  const place = existingPrdContext(options);
  const planning = await preparePlanning(wireProgram(), place, flagLayer(options));
  const isDerived = isOn(options, "derive") || isOn(options, "json") || !process.stdin.isTTY || !process.stdout.isTTY;
  if (!isDerived) return talkPlan(planning);
  return derivePlan(planning, { isForced: isOn(options, "force"), isJson: isOn(options, "json") });
}

function flagLayer(options: Options): SettingsLayer {
  const [command, model] = [textOption(options, "agent"), textOption(options, "model")];
  if (command?.trim() === "") throw new RalphError("usage", "--agent must not be empty.");
  const agent = { ...(command === null ? {} : { command }), ...(model === null ? {} : { model }) };
  return { source: "the command line", value: { agent } };
}
