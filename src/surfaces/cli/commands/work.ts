import { prepareWork } from "../../../app/prepare/prepare-work.ts";
import { planWork } from "../../../app/prepare/plan-work.ts";
import { startTalk, warn } from "../input/start-talk.ts";
import { startWorkHere } from "../../../app/start/start-work-here.ts";
import { loadRunSettings } from "../../../app/prepare/load-run-settings.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { type Role, roles as allRoles } from "../../../core/tasks/criteria/role.ts";
import { jobsMax, lacksWorktrees } from "../../../core/tasks/work-jobs.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { connectWork } from "../live/connect-work.ts";
import { displayOptions } from "../live/display-options.ts";
import { onTerminal, tellEnd } from "../live/drive-here.ts";
import { useMachine } from "../live/use-machine.ts";
import { countOption, isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { renderWorkPlan } from "../views/render-work-plan.ts";
import { stampedTalk } from "../live/stamped-talk.ts";

/** `ralph work`: every task that can be worked on, through its roles. */
export default async function work(input: Input): Promise<number> {
  const { options } = input;
  const projectDir = projectDirOption(options);
  const jobs = jobsOption(options);
  const named = rolesOption(options);
  const display = displayOptions(options);
  const flags = readSettingFlags(options);
  const program = wireProgram();
  const loaded = await loadRunSettings(program, { projectDir, given: flags, say: warn });
  const { settings } = loaded;
  return useMachine(program, async (machine) => {
    const isInWorktrees = isOn(options, "worktrees");
    const names = input.arguments;
    const said: string[] = [];
    const say = (line: string): void => {
      said.push(line);
      startTalk.say(line);
    };
    const frozen = await prepareWork(machine, { projectDir, loaded, names, roles: named, jobs, isInWorktrees, say });
    if (frozen === null) return sayIdle(said, display.isJson);
    if (isOn(options, "dryRun")) {
      process.stdout.write(renderWorkPlan(await planWork(program, frozen), display.isJson));
      return 0;
    }
    const shown = { settings, display };
    const order = { frozen, talk: stampedTalk(display), isDirtyAllowed: isOn(options, "allowDirty") || isInWorktrees };
    const end = await onTerminal(shown, (live) => startWorkHere(machine, order, connectWork(live, { ...shown, jobs })));
    return tellEnd(machine, { ...end, isWork: true }, display);
  });
}

/** No task is ready: no run began, so there is no outcome. */
function sayIdle(reasons: readonly string[], isJson: boolean): number {
  const reason = reasons.map((line) => line.trim()).join(" ");
  if (isJson) process.stdout.write(jsonResult({ kind: "outcome", id: null, outcome: null, reason, exitCode: 0 }));
  return 0;
}

function jobsOption(options: Options): number {
  const jobs = countOption(options, "jobs", "--jobs") ?? 1;
  if (jobs > jobsMax) throw new RalphError("usage", `--jobs takes at most ${jobsMax}, found ${jobs}.`);
  if (!lacksWorktrees({ jobs, isInWorktrees: isOn(options, "worktrees") })) return jobs;
  throw new RalphError(
    "usage",
    `--jobs ${jobs} needs --worktrees: agents side by side in one directory undo each other.`,
  );
}

function rolesOption(options: Options): Role[] | null {
  const text = textOption(options, "roles");
  if (text === null) return null;
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !allRoles.some((role) => role === name));
  if (wrong !== undefined)
    throw new RalphError(
      "usage",
      `--roles knows ${allRoles.join(", ")}, found "${wrong}".`,
      "Example: --roles coder,reviewer",
    );
  return allRoles.filter((role) => names.includes(role));
}
