import { basename, join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { isScaffoldPrd, isScaffoldTaskFile } from "../../core/prd/list/scaffold.ts";
import { formatTaskFile, type TaskFile } from "../../core/prd/list/task-file.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { cleanLine } from "../../core/text/clean-text.ts";
import { type Answer, askAgent } from "../../shell/agents/ask-agent.ts";
import { agentOf } from "../../shell/drivers/agent-of.ts";
import type { Machine } from "../../shell/machine.ts";
import { deriveTasks } from "../../shell/prd/folder/derive-tasks.ts";
import { processesOf } from "../../shell/processes/redacting-processes.ts";
import { createFileArtefacts } from "../../shell/stores/file-artefacts.ts";
import { ownStateFolder } from "../../shell/wire-store.ts";
import type { ListContext } from "./find-list.ts";

/** A derivation reads a project; half an hour, like the idle limit of a turn. */
const deriveWallMs = 30 * 60_000;
/** A list of two hundred stories fits. */
const answerCharsMax = 500_000;

/** Whose list is derived, and by which settings. */
export type Planning = {
  program: Pick<Machine, "disk" | "env" | "agents" | "processes" | "selfArgv">;
  place: ListContext;
  settings: Settings;
};

/** `isForced`: a list that is there already may be replaced. `onAsk` is told before each question. */
export type DeriveOptions = { isForced: boolean; signal: AbortSignal; onAsk: () => void };

/** Derives the list from a finished PRD, which does not change, and writes it when it is valid (S4-86). Null: aborted. */
export async function deriveList(planning: Planning, options: DeriveOptions): Promise<TaskFile | null> {
  const { disk } = planning.program;
  const { folder, projectDir } = planning.place;
  const paths = { prd: join(folder.path, "prd.md"), tasks: join(folder.path, "tasks.json") };
  const read = async (path: string): Promise<string> => (await disk.readText(path)) ?? "";
  const before = { prd: await read(paths.prd), tasks: await read(paths.tasks) };
  refuseUnready(folder.name, before, options.isForced);
  const question = { prd: before.prd, project: basename(projectDir), ralphDir: folder.name };
  const { file, problems } = await deriveTasks(askerOf(planning, options), question);
  // The agent must not change any file; edits of these two are ignored.
  for (const name of ["prd", "tasks"] as const)
    if ((await disk.readText(paths[name]).catch(() => null)) !== before[name])
      await disk.writeAtomic(paths[name], before[name]);
  if (options.signal.aborted) return null;
  if (file === undefined)
    throw new RalphError(
      "agent",
      `The agent gave no task list that could be run; nothing was written.\n${problems.map((each) => `  ${cleanLine(each)}`).join("\n")}`,
      "Make prd.md clearer, or plan on a terminal: ralph prd plan",
    );
  if (!isScaffoldTaskFile(before.tasks)) await disk.writeAtomic(`${paths.tasks}.old`, before.tasks);
  await disk.writeAtomic(paths.tasks, formatTaskFile(file));
  return file;
}

function refuseUnready(name: string, before: { prd: string; tasks: string }, isForced: boolean): void {
  if (isScaffoldPrd(before.prd))
    throw new RalphError(
      "usage",
      `${name}/prd.md is still the template: there is nothing to derive stories from.`,
      "Write it, or let an agent ask you on a terminal: ralph prd plan",
    );
  if (!isScaffoldTaskFile(before.tasks) && !isForced)
    throw new RalphError(
      "usage",
      `${name}/tasks.json holds a list already.`,
      "Replace it with --force (it is kept as tasks.json.old), or put it away: ralph prd archive",
    );
}

/** Asks the agent of the settings in text mode; an abort ends it and everything it started. */
function askerOf(
  { program, place, settings }: Planning,
  { signal, onAsk }: DeriveOptions,
): (prompt: string) => Promise<Answer> {
  const runId = `plan-${process.pid}`;
  const asked = {
    ...program,
    processes: processesOf(program, settings),
    ...agentOf(program, { settings }),
    runId,
    frozen: { settings, projectDir: place.projectDir },
    adapters: program.agents.known,
    artefacts: createFileArtefacts({ folder: ownStateFolder(program.env), disk: program.disk }),
    killGraceMs: Number(program.env["RALPH_KILL_GRACE_MS"] ?? 5000),
    onStderr: () => undefined,
  };
  return async (prompt) => {
    if (signal.aborted) return null;
    onAsk();
    return askAgent(asked, {
      purpose: "agent",
      prompt,
      turnMarker: runId,
      signal,
      wallMs: deriveWallMs,
      charsMax: answerCharsMax,
    });
  };
}
