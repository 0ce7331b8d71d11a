import type { Program } from "../../../app/prepare/load-run-settings.ts";
import { planStart } from "../../../app/prepare/plan-start.ts";
import type { FrozenRun } from "../../../core/settings/run/frozen-run.ts";
import { startTalk } from "../input/start-talk.ts";
import { renderPlan } from "../views/render-plan.ts";

/** `--dry-run` of a command that drives one run: prints what it would do, and starts nothing. */
export async function tellPlan(program: Program, frozen: FrozenRun, isJson: boolean): Promise<number> {
  const planned = await planStart(program, frozen);
  for (const warning of planned.warnings) startTalk.say(warning);
  process.stdout.write(renderPlan(planned, isJson));
  return 0;
}
