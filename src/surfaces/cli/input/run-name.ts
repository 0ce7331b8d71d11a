import type { RunName } from "../../../app/query/find/target.ts";
import type { Input } from "./command-spec.ts";
import { runDirOption } from "./read-input.ts";

/** The run a command means: the one it names, else one of its directory. */
export function runName({ arguments: [id], options }: Input): RunName {
  return id === undefined ? { directory: runDirOption(options) } : { id };
}
