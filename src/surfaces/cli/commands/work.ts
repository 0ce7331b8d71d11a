import { jobsMax, prepareWork } from "../../../app/prepare/prepare-work.ts";
import { importEnded } from "../input/import-ended.ts";
import { startTalk } from "../input/start-talk.ts";
import { startWorkHere } from "../../../app/start/start-work-here.ts";
import { loadRunSettings, costWarnings } from "../../../app/prepare/load-run-settings.ts";
import { exitCodes } from "../../../core/run/outcome.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { type Role, roles as allRoles } from "../../../core/tasks/criteria/role.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import type { WorkEnd } from "../../../shell/drivers/work/work-driver.ts";
import { wire, wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { connect } from "../live/connect.ts";
import { connectWork } from "../live/connect-work.ts";
import { displayOptions } from "../live/display-options.ts";
import { countOption, isOn, type Options, projectDirOption, textOption } from "../input/read-input.ts";
import { readSettingFlags } from "../input/setting-flags.ts";
import { outcomeText } from "../live/run-lines.ts";

/** `ralph work`: every task that can be worked on, through its roles. */
export default async function work(input: Input): Promise<number> {
  const { options } = input;
  const projectDir = projectDirOption(options);
  const jobs = jobsOption(options);
  const named = rolesOption(options);
  const display = displayOptions(options);
  const flags = readSettingFlags(options);
  const program = wireProgram();
  const loaded = await loadRunSettings(program, { projectDir, given: flags });
  const { settings } = loaded;
  for (const warning of loaded.warnings) startTalk.say(`ralph: ${warning}`);
  for (const warning of costWarnings(program, settings)) startTalk.say(warning);
  const machine = await wire(program);
  try {
    await importEnded(machine);
    const isInWorktrees = isOn(options, "worktrees");
    const names = input.arguments;
    const said: string[] = [];
    const say = (line: string): void => {
      said.push(line);
      startTalk.say(line);
    };
    const frozen = await prepareWork(machine, { projectDir, loaded, names, roles: named, jobs, isInWorktrees, say });
    if (frozen === null) return sayIdle(said, display.isJson);
    const live = connect(settings, display);
    const connection = connectWork(live, { settings, display, jobs });
    const order = { frozen, talk: startTalk, isDirtyAllowed: isOn(options, "allowDirty") || isInWorktrees };
    const end = await live.closeAfter(() => startWorkHere(machine, order, connection));
    sayEnd(end, display.isJson);
    return exitCodes[end.outcome.name];
  } finally {
    await machine.store.close();
  }
}

/** No task is ready: no run began, so there is no outcome. */
function sayIdle(reasons: readonly string[], isJson: boolean): number {
  const reason = reasons.map((line) => line.trim()).join(" ");
  if (isJson) process.stdout.write(jsonLine({ kind: "outcome", id: null, outcome: null, reason, exitCode: 0 }));
  return 0;
}

/** The last lines of a work run: its outcome, and how to resume it. */
export function sayEnd({ id, outcome }: Pick<WorkEnd, "id" | "outcome">, isJson: boolean): void {
  const { name, reason, isVerified } = outcome;
  if (isJson) {
    const verified = isVerified === undefined ? {} : { isVerified };
    process.stdout.write(
      jsonLine({ kind: "outcome", id, outcome: name, ...verified, reason, exitCode: exitCodes[name] }),
    );
    return;
  }
  process.stderr.write(cleanLines([outcomeText(outcome)]));
  if (name !== "completed" && name !== "cancelled") process.stderr.write(`Resume with: ralph resume ${id}\n`);
}

function jobsOption(options: Options): number {
  const jobs = countOption(options, "jobs", "--jobs") ?? 1;
  if (jobs > jobsMax) throw new RalphError("usage", `--jobs takes at most ${jobsMax}, found ${jobs}.`);
  if (jobs === 1 || isOn(options, "worktrees")) return jobs;
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
