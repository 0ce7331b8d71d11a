import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuTime, mean } from "./cpu-time.ts";
import { writeInstantAgent } from "./instant-agent.ts";
import type { Bench } from "./main.ts";
import type { Measure } from "./measure.ts";
import { benchEnvironment, timeProcess } from "./time-process.ts";

/** Runs in the store that `ralph status` shows. */
const storedRuns = 5;

/** A command to start, and at most how many times the CPU of an empty Node it shall take. */
type Row = { title: string; words: string[]; atMost: number; exitCodes?: readonly number[]; isFresh?: boolean };

/** CPU time of starts of ralph against an empty program of the same Node. */
export async function measureStart({ root, folder, isQuick, say }: Bench): Promise<Measure[]> {
  const env = benchEnvironment(folder);
  const node = process.execPath;
  const ralph = [node, join(root, "bin", "ralph.js")];
  const agent = writeInstantAgent(folder);
  // CommonJS, outside of every package: the fastest start this Node has.
  const empty = join(folder, "empty.cjs");
  writeFileSync(empty, "");
  for (let run = 0; run < storedRuns; run += 1) {
    const argv = [...ralph, "run", "-p", "Go on.", "--agent", agent, "-m", "2", "-C", folder];
    await timeProcess({ argv, cwd: folder, env, exitCodes: [1] });
  }
  const rows = listRows(folder, await makeProject(folder, env));
  const times = new Map<string, number[]>([["empty", []], ...rows.map(({ title }): [string, number[]] => [title, []])]);
  const rounds = isQuick ? 11 : 41;
  say(`start: ${rounds} rounds`);
  for (let round = -8; round < rounds; round += 1) {
    const timed = async (name: string, argv: string[], row?: Row): Promise<void> => {
      const state = join(folder, `state-${name.replaceAll(/\W+/g, "-")}-${round}`);
      const own = row?.isFresh === true ? { ...env, RALPH_STATE_HOME: state } : env;
      const cpuMs = await cpuTime({ argv, cwd: folder, env: own, exitCodes: row?.exitCodes ?? [0] });
      // The first rounds fill the cache of the disk, and what is kept of the program (bin/load-program.js).
      if (round >= 0) times.get(name)?.push(cpuMs);
    };
    await timed("empty", [node, empty]);
    for (const row of rows) await timed(row.title, [...ralph, ...row.words], row);
  }
  const emptyMs = mean(times.get("empty") ?? []);
  return rows.map(({ title, atMost }) => {
    const ours = mean(times.get(title) ?? []);
    const name = `CPU of \`ralph ${title}\``;
    const of = { ours: `${ours.toFixed(1)} ms`, plain: `${emptyMs.toFixed(1)} ms`, value: ours / emptyMs };
    return { name, ...of, unit: "×", target: { atMost } };
  });
}

/** A repository of one commit: the cost of looking at files is measured elsewhere. */
async function makeProject(folder: string, env: Record<string, string>): Promise<string> {
  const project = join(folder, "project");
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"];
  await timeProcess({ argv: ["git", "init", "--quiet", project], cwd: folder, env });
  const commit = ["commit", "--quiet", "--allow-empty", "--message", "Begin"];
  await timeProcess({ argv: ["git", "-C", project, ...identity, ...commit], cwd: folder, env });
  return project;
}

function listRows(folder: string, project: string): Row[] {
  const run = ["run", "-p", "Go on.", "--agent", writeEndingAgent(folder), "-m", "1", "-C", project];
  return [
    { title: "--version", words: ["--version"], atMost: 1.3 },
    { title: "--help", words: ["--help"], atMost: 1.3 },
    { title: "status", words: ["status", "-C", folder], atMost: 2 },
    { title: "run --dry-run", words: [...run, "--dry-run"], atMost: 3, isFresh: true },
    { title: "run -m 1, to the agent's start", words: run, atMost: 3, isFresh: true },
    // It may find things to repair on this machine.
    { title: "doctor", words: ["doctor", "-C", project], atMost: 3, exitCodes: [0, 1, 2] },
  ];
}

/** An agent that ends the run which started it, so that nothing after its start is counted. */
function writeEndingAgent(folder: string): string {
  const bin = join(folder, "ending-agent");
  mkdirSync(bin, { recursive: true });
  const path = join(bin, "agent");
  writeFileSync(path, "#!/bin/sh\nkill -KILL $PPID\n");
  chmodSync(path, 0o755);
  return path;
}
