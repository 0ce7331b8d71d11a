import { removeHeldOut } from "../../../app/seal/held-out.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { projectDirOption } from "../input/read-input.ts";
import { printHeldOut } from "./print-held-out.ts";

/** `ralph seal held-out remove`. */
export default async function remove({ arguments: [name = ""], options }: Input): Promise<number> {
  const list = await removeHeldOut({ ...wireProgram(), projectDir: projectDirOption(options) }, name);
  printHeldOut(list, { options, sentence: `Removed "${name}". Runs that have begun keep it.` });
  return 0;
}
