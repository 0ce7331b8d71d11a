import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import type { SettingsLayer } from "../../core/settings/settings-layer.ts";
import type { AskContext } from "../../shell/agents/ask-agent.ts";
import { agentOf } from "../../shell/drivers/agent-of.ts";
import type { Machine } from "../../shell/machine.ts";
import { processesOf } from "../../shell/processes/redacting-processes.ts";
import { newRunId } from "../../shell/stores/run-id.ts";
import { type Generated, generateTasks } from "../../shell/tasks/generate-tasks.ts";
import { createFileArtefacts } from "../../shell/stores/file-artefacts.ts";

/** What an agent is asked for: tasks out of a specification. `onAsk` is told which agent it is. */
export type TaskQuestion = {
  directory: string;
  specification: string;
  given: SettingsLayer;
  signal: AbortSignal;
  onAsk: (command: string) => void;
};

/** Tasks that an agent made, none of them stored. `isTreeChanged`: files of the project changed while it answered. */
export type AskedTasks = Generated & { isTreeChanged: boolean };

/** Asks the agent of the settings for tasks, and once more when the first answer cannot be used. */
export async function askForTasks(machine: Machine, question: TaskQuestion): Promise<AskedTasks> {
  const { directory, specification, signal, onAsk } = question;
  // There is no run: nothing would remove what is kept of this call.
  const folder = await mkdtemp(join(tmpdir(), "ralph-generate-"));
  try {
    const artefacts = createFileArtefacts({ folder, disk: machine.disk });
    const place = await askPlace({ ...machine, folder, artefacts }, question);
    const stored = await machine.store.listTasks(directory);
    onAsk(place.command);
    const before = await machine.fingerprint(directory);
    const existingIds = stored.map(({ id }) => id);
    const order = { specification, existingIds, stored, at: machine.clock.now() };
    const generated = await generateTasks(place, order, signal);
    return { ...generated, isTreeChanged: !signal.aborted && (await machine.fingerprint(directory)) !== before };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A specification must fit one prompt. */
const specificationCharsMax = 1024 * 1024;

/** The text of a specification that can be asked about; null: its file is missing. `path` is for messages. */
export function requireSpecification(specification: string | null, path: string): string {
  if (specification === null)
    throw new RalphError("usage", `There is no file ${path}.`, "Give an existing one with -f.");
  if (specification.trim() === "") throw new RalphError("usage", `The specification ${path} is empty.`);
  if (specification.length <= specificationCharsMax) return specification;
  const found = `${specification.length} characters; at most ${specificationCharsMax} fit`;
  throw new RalphError("usage", `The specification ${path} has ${found}.`, "Split it, and generate from each part.");
}

async function askPlace(machine: Machine, { directory, given }: TaskQuestion): Promise<AskContext> {
  const { loadSettings } = await import("../../shell/settings/load-settings.ts");
  const { disk, env } = machine;
  const { settings } = await loadSettings({ disk, env, projectDir: directory }, given);
  const frozen = { settings, projectDir: directory };
  return {
    ...machine,
    processes: processesOf(machine, settings),
    runId: newRunId(machine.clock.now(), machine.random),
    frozen,
    adapters: machine.agents.known,
    ...agentOf(machine, frozen),
    onStderr: () => undefined,
  };
}
