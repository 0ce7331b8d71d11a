import type { Input } from "../command-tree.ts";
import { runSim } from "../../sim/sim.ts";

/** `ralph sim`: the scripted agent, as a process of its own. */
export default async function sim(input: Input): Promise<number> {
  const { stdin, stdout, stderr, env } = process;
  return runSim(input.arguments, { stdin, stdout, stderr, env, cwd: process.cwd() });
}
