import { resolve } from "node:path";
import { RalphError } from "../../core/ralph-error.ts";
import { type BusFile, findBus, inferFields, type InferredFields, placeOf } from "../../shell/bus/find-bus.ts";

/** What was asked for: a bus by its path, and the folder from which the nearest one is looked for, where it must be. */
export type AskedBus = { path: string | null; folder: () => string; isFolderGiven: boolean };

/** A bus, and what its path says about its messages. */
export type ChosenBus = BusFile & InferredFields;

type Environment = Readonly<Record<string, string | undefined>>;

/** The bus for a message: an agent's own bus, whatever was asked for; then the named one; then the nearest one upwards. */
export function busForPost(asked: AskedBus, env: Environment): ChosenBus {
  return chosen(ownBus(env) ?? named(asked) ?? nearest(asked));
}

/** The bus to read: the named one, else an agent's own, else the nearest one upwards. */
export function busForReading(asked: AskedBus, env: Environment): ChosenBus {
  return chosen(named(asked) ?? (asked.isFolderGiven ? null : ownBus(env)) ?? nearest(asked));
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

function nearest(asked: AskedBus): BusFile {
  const folder = asked.folder();
  const found = findBus(folder);
  if (found !== null) return found;
  throw new RalphError(
    "not-found",
    `There is no message bus in ${folder} or above it.`,
    "Name one with --bus PATH; posting creates it.",
  );
}
