import { listHeldOut } from "../../../app/seal/held-out.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { projectDirOption } from "../input/read-input.ts";
import { printHeldOut } from "./print-held-out.ts";

/** `ralph seal held-out list`: the names, and nothing else. */
export default async function list({ options }: Input): Promise<number> {
  const found = listHeldOut({ ...wireProgram(), projectDir: projectDirOption(options) });
  const sentence = found.names.length === 0 ? "This project has no held-out check." : `They are in ${found.path}`;
  printHeldOut(found, { options, sentence });
  return 0;
}
