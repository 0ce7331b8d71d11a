import { demoPrompt } from "../../../app/setup/demo-project.ts";
import { demoCommit, makeDemo, runDemo } from "../../../app/setup/run-demo.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";

/** `ralph demo`: the main job on embedded defaults. Starts `ralph run` as a child and prints only its output. */
export default async function demo(_input: Input): Promise<number> {
  const program = wireProgram();
  const made = await makeDemo(program);
  const { project, state } = made;
  process.stderr.write(`A scratch repository with a failing test: ${project}\n$ ralph run -p "${demoPrompt}"\n\n`);
  const exitCode = await runDemo(program, made);
  process.stderr.write(`\nThe commit it made:\n${await demoCommit(program, made)}`);
  // This program as it was started: it may not be on the PATH.
  const self = process.argv[1] ?? "";
  process.stderr.write(`\nLook at the run:\n  RALPH_STATE_HOME=${state} node ${self} show -C ${project}\n`);
  process.stderr.write(`Yours: cd your-project && ralph run --agent claude -p "Make the tests pass"\n`);
  return exitCode;
}
