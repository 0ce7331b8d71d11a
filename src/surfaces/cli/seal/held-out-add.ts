import { resolve } from "node:path";
import { RalphError } from "../../../core/ralph-error.ts";
import { addHeldOut } from "../../../app/seal/held-out.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { listOption, projectDirOption, textOption } from "../input/read-input.ts";
import { printHeldOut } from "./print-held-out.ts";

/** `ralph seal held-out add`: a check that the agent never sees. */
export default async function add({ arguments: [name = ""], options }: Input): Promise<number> {
  const command = textOption(options, "command");
  if (command === null)
    throw new RalphError("usage", "A held-out check needs a command.", 'Give it with --command "sh .held-out/x.sh".');
  const files = (listOption(options, "file") ?? []).map((path) => resolve(path));
  const check = { name, command, files, hint: textOption(options, "hint"), tasks: listOption(options, "task") ?? [] };
  const list = await addHeldOut({ ...wireProgram(), projectDir: projectDirOption(options) }, check);
  printHeldOut(list, { options, sentence: `Added "${name}". ${list.path} is for you alone.` });
  return 0;
}
