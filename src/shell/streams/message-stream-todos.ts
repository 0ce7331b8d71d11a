import type { TodoItem } from "../../core/agents/agent-event.ts";
import { type JsonObject, listOf, objectOf, textOf } from "./json-value.ts";
import { todoItemsOf, todoStatusOf } from "./todo-items.ts";

/** Follows the todo tools of one stream. Each method returns the whole list when it changed, else null. */
export type TodoBoard = {
  /** Whether a tool of this name is followed. */
  follows(name: string): boolean;
  started(toolId: string, name: string, input: unknown): TodoItem[] | null;
  /** `details` is the structured answer of the tool. */
  ended(toolId: string, details: unknown): TodoItem[] | null;
};

/** A list written whole counts when it is written; single tasks count when their tool has answered, which gives the id. */
export function createTodoBoard(): TodoBoard {
  const openTools = new Map<string, { name: string; input: JsonObject }>();
  const tasks = new Map<string, TodoItem>();

  return {
    follows: (name) => wholeListTools.has(name) || taskTools.has(name),
    started(toolId, name, input) {
      if (wholeListTools.has(name)) return todoItemsOf(objectOf(input)["todos"]);
      if (taskTools.has(name)) openTools.set(toolId, { name, input: objectOf(input) });
      return null;
    },
    ended(toolId, details) {
      const tool = openTools.get(toolId);
      if (tool === undefined) return null;
      openTools.delete(toolId);
      const isChanged = changeTasks(tasks, tool, objectOf(details));
      return isChanged ? [...tasks.values()] : null;
    },
  };
}

const wholeListTools = new Set(["TodoWrite", "todo_write"]);
const taskTools = new Set(["TaskCreate", "TaskUpdate", "TaskList"]);

function changeTasks(
  tasks: Map<string, TodoItem>,
  tool: { name: string; input: JsonObject },
  details: JsonObject,
): boolean {
  if (tool.name === "TaskCreate") return addTask(tasks, objectOf(details["task"]));
  if (tool.name === "TaskUpdate") return details["success"] === true && updateTask(tasks, tool.input);
  const listed = listOf(details["tasks"]);
  if (!Array.isArray(details["tasks"])) return false;
  tasks.clear();
  for (const entry of listed) addTask(tasks, objectOf(entry));
  return true;
}

function addTask(tasks: Map<string, TodoItem>, task: JsonObject): boolean {
  const id = textOf(task["id"]);
  const text = textOf(task["subject"]);
  if (id === null || text === null) return false;
  tasks.set(id, { text, status: todoStatusOf(task["status"]) });
  return true;
}

function updateTask(tasks: Map<string, TodoItem>, input: JsonObject): boolean {
  const id = textOf(input["taskId"]);
  const task = id === null ? undefined : tasks.get(id);
  if (id === null || task === undefined) return false;
  if (input["status"] === "deleted") return tasks.delete(id);
  const text = textOf(input["subject"]) ?? task.text;
  const status = input["status"] === undefined ? task.status : todoStatusOf(input["status"]);
  tasks.set(id, { text, status });
  return true;
}
