import type { TodoItem } from "../../../../core/agents/agent-event.ts";
import { cleanLine } from "../../../../core/text/clean-text.ts";
import type { Marks } from "../../terminal/marks.ts";
import type { ViewLine } from "./view-style.ts";

/** How many items of a list are shown; it is printed often. */
const itemsMax = 30;

/** The agent's todo list and its progress, apart from the lines before it (S1-75). */
export function todoLines(items: readonly TodoItem[], marks: Marks): ViewLine[] {
  const doneCount = items.filter(({ status }) => status === "done").length;
  const percent = items.length === 0 ? 0 : Math.floor((doneCount * 100) / items.length);
  const hiddenCount = items.length - itemsMax;
  return [
    { text: "", format: null },
    { text: `${marks.todo} Todo List`, format: "bold" },
    ...items.slice(0, itemsMax).map((item) => itemLine(item, marks)),
    ...(hiddenCount > 0 ? [{ text: `  ${marks.ellipsis} ${hiddenCount} more`, format: "dim" as const }] : []),
    { text: `  ${marks.progress}Progress: ${doneCount}/${items.length} (${percent}%)`, format: "dim" },
  ];
}

function itemLine({ text, status }: TodoItem, marks: Marks): ViewLine {
  const words = cleanLine(text);
  switch (status) {
    case "done":
      return { text: `  ${marks.todoDone} ${words}`, format: "dim" };
    case "active":
      return { text: `  ${marks.todoActive} ${words}`, ending: ` ${marks.arrow} ACTIVE`, format: "bold" };
    case "pending":
      return { text: `  ${marks.todoPending} ${words}`, format: null };
  }
}
