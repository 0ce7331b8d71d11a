import { resolve } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { type BusFile, findBus, placeOf } from "../../../shell/bus/find-bus.ts";
import { type Options, projectDirOption, textOption } from "../input/read-input.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The bus for a message: an agent's own bus, whatever its flags say; then the flags; then the nearest one upwards. */
export function postTarget(options: Options, env: Environment): BusFile {
  return ownBus(env) ?? flagged(options) ?? nearest(options);
}

/** The bus to read: the named one, else an agent's own, else the nearest one upwards. */
export function readTarget(options: Options, env: Environment): BusFile {
  const isPlaceGiven = textOption(options, "projectDir") !== null;
  return flagged(options) ?? (isPlaceGiven ? null : ownBus(env)) ?? nearest(options);
}

function ownBus(env: Environment): BusFile | null {
  const path = env["JRUN_MESSAGE_BUS"] ?? "";
  return path === "" ? null : placeOf(path);
}

function flagged(options: Options): BusFile | null {
  const path = textOption(options, "bus");
  return path === null ? null : placeOf(resolve(path));
}

function nearest(options: Options): BusFile {
  const folder = projectDirOption(options);
  const found = findBus(folder);
  if (found !== null) return found;
  throw new RalphError(
    "not-found",
    `There is no message bus in ${folder} or above it.`,
    "Name one with --bus PATH; posting creates it.",
  );
}
