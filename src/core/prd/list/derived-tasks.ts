import { findDependencyFaults } from "./dependencies.ts";
import { readTaskFile, type TaskFileReading } from "./read-task-file.ts";
import { checkBirth } from "./task-file-rules.ts";

/** The task file in an agent's answer, or all its problems: it must be a fresh list that can run (S4-86, S4-87). */
export function readDerivedTasks(answer: string): TaskFileReading {
  const reading = readTaskFile(jsonIn(answer));
  if (reading.file === undefined) return reading;
  const { file } = reading;
  const problems = [
    ...(file.tasks.length === 0 ? ["tasks.json: userStories is empty"] : []),
    ...file.tasks.filter(({ title }) => title.trim() === "").map(({ id }) => `Story ${id}: title is empty`),
    ...file.tasks.flatMap(checkBirth).map(({ message }) => message),
    ...findDependencyFaults(file),
  ];
  return problems.length === 0 ? reading : { problems };
}

/** Agents often explain: the JSON is a fenced block, or the text between the first and the last brace. */
function jsonIn(answer: string): string {
  const fenced = /^```(?:json)?[ \t]*\r?\n([^]*?)^```/m.exec(answer)?.[1];
  const text = (fenced ?? answer).trim();
  if (text.startsWith("{")) return text;
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  return from === -1 || to < from ? text : text.slice(from, to + 1);
}
