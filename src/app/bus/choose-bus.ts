import { dirname, join, resolve } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import {
  type BusFile,
  busNames,
  findBus,
  inferFields,
  type InferredFields,
  placeOf,
} from "../../shell/bus/find-bus.ts";

/** What was asked for: a bus by its path, and the folder from which one is looked for, where it must be. */
export type AskedBus = {
  path: string | null;
  folder: () => string;
  isFolderGiven: boolean;
  /** The directory of the newest supervised task that was started from a folder, or of the newest that is at work; null: there is none. */
  taskDirOf: (folder: string, which: "newest" | "at-work") => Promise<string | null>;
};

/** A bus, and what its path says about its messages. */
export type ChosenBus = BusFile & InferredFields;

type Environment = Readonly<Record<string, string | undefined>>;

/** The bus for a message: an agent's own bus, whatever was asked for; then the named one; then that of the folder. */
export async function busForPost(asked: AskedBus, env: Environment): Promise<ChosenBus> {
  return chosen(ownBus(env) ?? named(asked) ?? (await busOfFolder(asked)));
}

/** The bus to read: the named one, else an agent's own, else that of the folder. */
export async function busForReading(asked: AskedBus, env: Environment): Promise<ChosenBus> {
  return chosen(named(asked) ?? (asked.isFolderGiven ? null : ownBus(env)) ?? (await busOfFolder(asked)));
}

function chosen(bus: BusFile): ChosenBus {
  return { ...bus, ...inferFields(bus) };
}

function ownBus(env: Environment): BusFile | null {
  const path = env["JRUN_MESSAGE_BUS"] ?? "";
  return path === "" ? null : placeOf(path);
}

function named({ path }: AskedBus): BusFile | null {
  return path === null ? null : placeOf(resolve(path));
}

/**
 * The one in the folder, else that of the task that was supervised last from here, else the nearest one upwards. A task at work
 * comes before the bus of its project: a task that completed made that one, and the messages of the others are not in it.
 */
async function busOfFolder(asked: AskedBus): Promise<BusFile> {
  const folder = asked.folder();
  const found = findBus(folder);
  const isHere = found !== null && dirname(found.path) === folder;
  if (isHere && found.kind !== "project") return found;
  const taskDir = await asked.taskDirOf(folder, isHere ? "at-work" : "newest");
  if (taskDir !== null) return placeOf(join(taskDir, busNames.task));
  if (found !== null) return found;
  throw new RalphError(
    "not-found",
    `There is no message bus in ${folder} or above it.`,
    "Name one with --bus PATH; posting creates it.",
  );
}
