import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { BusMessage } from "../../src/core/bus/message.ts";
import { readAll } from "../../src/shell/bus/read-bus.ts";
import { type TaskFolder, taskFolderAt } from "../../src/shell/supervise/records/task-folder.ts";
import {
  type Ended,
  openProject,
  type ProjectOptions,
  type ScratchProject,
  type Started,
  type StartOptions,
} from "../run/scratch-project.ts";
import { createDisk } from "../../src/shell/lib/disk.ts";

const reading = { files: createDisk() };

/** A task `task-001` of the project `shop` beside a scratch project, and the built program to supervise it. */
export type ScratchTask = {
  project: ScratchProject;
  folder: TaskFolder;
  /** The agent is a shell script: `$n` is the number of its run, `done_now` makes DONE. */
  agent(body: string, settings?: Record<string, unknown>): string;
  start(words?: string[], options?: StartOptions): Started;
  run(words?: string[], options?: StartOptions): Promise<Ended>;
  /** The bus as `TYPE body`, first lines only. */
  bus(): string[];
  messages(): BusMessage[];
  records(): Record<string, unknown>[];
  /** Files of the newest run. */
  lastRunFile(name: string): string;
  mark(name: string): void;
  has(name: string): boolean;
};

/** Opens a scratch task; it goes with its project after the test. */
export function openTask(order: ProjectOptions = {}): ScratchTask {
  const project = openProject(order);
  const folder = taskFolderAt(join(project.root, "shop", "task-001"));
  mkdirSync(folder.path, { recursive: true });
  const start: ScratchTask["start"] = (words = [], options = {}) =>
    project.start(
      ["supervise", "--task-dir", folder.path, "--restart-delay", "20ms", "-p", "Do it", ...words],
      options,
    );
  const runNames = (): string[] => (existsSync(folder.runsFolder) ? readdirSync(folder.runsFolder).toSorted() : []);
  const messages = (): BusMessage[] => readAll(folder.busFile, reading);
  return {
    project,
    folder,
    agent: (body, settings) => project.plainAgent(`done_now() { touch "$TASK_FOLDER/DONE"; }\n${body}`, settings),
    start,
    run: (words, options) => start(words, options).ended,
    messages,
    bus: () => messages().map(({ type, body }) => `${type} ${body.split("\n")[0]}`),
    records: () =>
      runNames().map(
        (name) =>
          parse(readFileSync(join(folder.runsFolder, name, "run-info.yaml"), "utf8")) as Record<string, unknown>,
      ),
    lastRunFile: (name) => readFileSync(join(folder.runsFolder, runNames().at(-1) ?? "", name), "utf8"),
    mark: (name) => writeFileSync(join(folder.path, name), ""),
    has: (name) => existsSync(join(folder.path, name)),
  };
}
