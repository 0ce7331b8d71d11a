import type { Input } from "../input/command-spec.ts";
import { runSim } from "../../sim/sim.ts";
import { releaseOutput } from "../terminal/guard-output.ts";

/** `ralph sim`: the scripted agent as a separate process. */
export default async function sim(input: Input): Promise<number> {
  // The agent prints exactly what its script says.
  releaseOutput();
  const { stdin, stdout, stderr, env } = process;
  return runSim(input.arguments, { stdin, stdout, stderr, env, cwd: process.cwd() });
}
