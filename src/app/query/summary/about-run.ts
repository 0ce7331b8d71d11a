import { basename } from "node:path";
import type { RunRecord } from "../../../shell/ports.ts";
import { functionCommand } from "../../functions/own-functions.ts";

/** What a run is about, and who works on it. */
export type AboutRun = { topic: string; agent: string | null; model: string | null };

/** The same of a stored run. */
export function aboutRun(frozen: RunRecord["frozen"]): AboutRun {
  return { topic: topicOf(frozen), ...aboutSettings(frozen.settings) };
}

/** Who works with these settings. */
export function aboutSettings({ agent }: RunRecord["frozen"]["settings"]): Omit<AboutRun, "topic"> {
  const { command, model } = agent;
  const isPath = command !== null && command !== functionCommand;
  return { agent: isPath ? basename(command) : command, model };
}

/** What people recognise a run by, in one line. */
function topicOf({ prompt, task, work, prd }: RunRecord["frozen"]): string {
  if (task !== undefined) return firstLine(task.title);
  if (work !== undefined) return work.tasks.map(({ id, title }) => `${id}: ${firstLine(title)}`).join("; ");
  if (prd !== undefined) return `the task list in ${prd.folder.name}`;
  return prompt.kind === "text" ? firstLine(prompt.text) : prompt.path;
}

/** Enough to recognise a prompt by; `ralph show` has all of it. */
const topicCharsMax = 200;

/** The first line with words in it. */
export function firstLine(text: string): string {
  const line = text.split("\n", 100).find((each) => each.trim() !== "") ?? "";
  return line.trim().slice(0, topicCharsMax);
}
