import { basename, join } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { isScaffoldPrd, isScaffoldTaskFile } from "../../../core/prd/scaffold.ts";
import { formatTaskFile } from "../../../core/prd/task-file.ts";
import { type Answer, askAgent } from "../../../shell/agents/ask-agent.ts";
import { agentOf } from "../../../shell/drivers/agent-of.ts";
import { deriveTasks } from "../../../shell/prd/derive-tasks.ts";
import { processesOf } from "../../../shell/processes/redacting-processes.ts";
import { createFileArtefacts } from "../../../shell/stores/file-artefacts.ts";
import { ownStateFolder } from "../../../shell/wire-store.ts";
import { cleanLine } from "../../../core/text/clean-text.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import type { Planning } from "./plan.ts";
import { showStories } from "./show-stories.ts";

/** A derivation reads a project; half an hour, like the idle limit of a turn. */
const deriveWallMs = 30 * 60_000;
/** A list of two hundred stories fits. */
const answerCharsMax = 500_000;
const interruptedCode = 130;

/** Mode 2: the PRD is finished and does not change; only a valid list is written (S4-86). */
export async function derivePlan(planning: Planning, how: { isForced: boolean; isJson: boolean }): Promise<number> {
  const { program, place } = planning;
  const { folder, projectDir } = place;
  const paths = { prd: join(folder.path, "prd.md"), tasks: join(folder.path, "tasks.json") };
  const read = async (path: string): Promise<string> => (await program.disk.readText(path)) ?? "";
  const before = { prd: await read(paths.prd), tasks: await read(paths.tasks) };
  refuseUnready(folder.name, before, how.isForced);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const order = { prd: before.prd, project: basename(projectDir), ralphDir: folder.name };
  const { file, problems } = await deriveTasks(askerOf(planning, stop.signal), order);
  // The agent must not change any file; edits of these two are ignored.
  for (const name of ["prd", "tasks"] as const)
    if ((await program.disk.readText(paths[name]).catch(() => null)) !== before[name])
      await program.disk.writeAtomic(paths[name], before[name]);
  if (stop.signal.aborted) {
    process.stderr.write("Interrupted; nothing was written.\n");
    return interruptedCode;
  }
  if (file === undefined)
    throw new RalphError(
      "agent",
      `The agent gave no task list that could be run; nothing was written.\n${problems.map((each) => `  ${cleanLine(each)}`).join("\n")}`,
      "Make prd.md clearer, or plan on a terminal: ralph prd plan",
    );
  if (!isScaffoldTaskFile(before.tasks)) await program.disk.writeAtomic(`${paths.tasks}.old`, before.tasks);
  await program.disk.writeAtomic(paths.tasks, formatTaskFile(file));
  if (!how.isJson) return showStories(file, `${folder.name}/tasks.json written.`);
  process.stdout.write(jsonLine(file.raw));
  return 0;
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

/** Asks the agent of the settings in text mode; an interrupt ends it and everything it started. */
function askerOf({ program, place, settings }: Planning, signal: AbortSignal): (prompt: string) => Promise<Answer> {
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
    process.stderr.write("Deriving the stories …\n");
    return askAgent(asked, {
      purpose: "agent",
      prompt,
      marker: runId,
      signal,
      wallMs: deriveWallMs,
      charsMax: answerCharsMax,
    });
  };
}
