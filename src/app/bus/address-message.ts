import type { MessageDraft } from "../../core/bus/message.ts";
import { RalphError } from "../../core/ralph-error.ts";
import type { ChosenBus } from "./choose-bus.ts";

/** Where a message belongs. */
export type MessageAddress = Pick<MessageDraft, "projectId" | "taskId" | "runId">;

/** Each field as it was given, else as the path of the bus tells it, else from the agent's environment. */
export function addressMessage(
  given: { [Field in keyof MessageAddress]: string | null },
  bus: ChosenBus,
  env: Readonly<Record<string, string | undefined>>,
): MessageAddress {
  const projectId = given.projectId ?? bus.projectId ?? env["JRUN_PROJECT_ID"] ?? "";
  if (projectId.trim() === "")
    throw new RalphError("usage", "A message needs a project id.", "Give it with --project, or set JRUN_PROJECT_ID.");
  return {
    projectId,
    taskId: given.taskId ?? bus.taskId ?? filled(env["JRUN_TASK_ID"]),
    runId: given.runId ?? filled(env["JRUN_ID"]),
  };
}

function filled(text: string | undefined): string | null {
  return text === undefined || text === "" ? null : text;
}
