import type { TodoItem } from "../../core/agents/agent-event.ts";
import { listOf, objectOf, textOf } from "./json-value.ts";

/** Reads a list of `{content, status}` as the todo tools of several agents write it. */
export function todoItemsOf(value: unknown): TodoItem[] {
  return listOf(value).flatMap((entry) => {
    const { content, status } = objectOf(entry);
    const text = textOf(content);
    return text === null ? [] : [{ text, status: todoStatusOf(status) }];
  });
}

/** Agents spell a status in their own way; what is unknown is still to be done. */
export function todoStatusOf(status: unknown): TodoItem["status"] {
  if (status === "completed" || status === "done" || status === "cancelled") return "done";
  return status === "in_progress" || status === "in-progress" ? "active" : "pending";
}
