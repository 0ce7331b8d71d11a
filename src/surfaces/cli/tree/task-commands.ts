import create from "../task/create.ts";
import edit from "../task/edit.ts";
import followUp from "../task/follow-up.ts";
import importTasks from "../task/import.ts";
import list from "../task/list.ts";
import remove from "../task/remove.ts";
import show from "../task/show.ts";

/** The commands about tasks that start nothing, loaded together because they share the reader of definitions. */
export const taskCommands = { create, edit, followUp, importTasks, list, remove, show };
