import { problemLine } from "../../../core/settings/settings-problems.ts";
import { reportSettings } from "../../../shell/settings/load-settings.ts";
import { wireProgram } from "../../../shell/wire.ts";
import { aboutSettings } from "./about-run.ts";
import type { NextCommand } from "./next-command.ts";
import { isOver } from "./run-summary.ts";
import { type Standing, standingOf } from "./standing.ts";
import type { TargetContext } from "../find/target.ts";

/** Where things stand in a directory, and what a person can type. */
export type Overview = {
  project: string;
  /** Null: no agent is configured, or the settings are wrong. */
  agent: string | null;
  model: string | null;
  /** Commands that check the work after every turn. */
  checks: string[];
  /** What is wrong with the settings, one sentence each. */
  problems: string[];
  standing: Standing;
  next: NextCommand[];
};

/** Ended runs that matter at a glance. */
const endedMax = 3;

/** Reads settings, runs and tasks of a directory. Starts nothing. */
export async function overviewOf(context: TargetContext, project: string): Promise<Overview> {
  const { disk, env } = wireProgram();
  const { settings, problems } = await reportSettings({ disk, env, projectDir: project }, null);
  const all = await standingOf(context, project);
  const isAnyReady = (await context.store.listTasks(project)).some(({ status }) => status === "ready");
  const living = all.runs.filter(({ summary }) => !isOver(summary));
  const standing = { ...all, runs: [...living, ...all.runs.filter((run) => !living.includes(run)).slice(0, endedMax)] };
  const facts = {
    ...(settings === null ? { agent: null, model: null } : aboutSettings(settings)),
    checks: settings?.guardrails.map(({ command }) => command) ?? [],
    problems: problems.map(problemLine),
  };
  return { project, ...facts, standing, next: nextOf({ ...facts, standing, isAnyReady }) };
}

type Facts = Pick<Overview, "agent" | "problems" | "standing"> & { isAnyReady: boolean };

/** What hinders the first run comes first, then what waits for a person, then a new run. */
function nextOf({ agent, problems, standing, isAnyReady }: Facts): NextCommand[] {
  const [newest] = standing.runs;
  const waiting = newest?.summary.next ?? null;
  return [
    ...(problems.length > 0
      ? [{ words: "Correct the settings, then look again", command: "ralph settings check" }]
      : []),
    ...(problems.length === 0 && agent === null
      ? [{ words: "Choose an agent and checks", command: "ralph init" }]
      : []),
    ...(waiting === null ? [] : [waiting]),
    ...(isAnyReady ? [{ words: "Work on the tasks that are ready", command: "ralph work" }] : []),
    ...(agent === null ? [] : [{ words: "Start a run", command: 'ralph run "Make the tests pass"' }]),
    ...(newest === undefined
      ? [{ words: "See it work, without agent and key", command: "ralph demo" }]
      : [{ words: "See the newest run whole", command: `ralph show ${newest.run.id}` }]),
    { words: "All commands", command: "ralph --help" },
  ];
}
