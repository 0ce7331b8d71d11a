import { runSim } from "./sim.ts";

const { stdin, stdout, stderr, env, argv } = process;
const exitCode = await runSim(argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() });

// Children left behind on purpose must not keep the process alive.
process.exit(exitCode);
