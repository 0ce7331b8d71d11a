import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeInstantAgent } from "./instant-agent.ts";
import type { Bench } from "./main.ts";
import { type Measure, median } from "./measure.ts";
import { benchEnvironment, timeProcess } from "./time-process.ts";

/** How often each number of iterations is measured; the long ones disturb themselves less. */
const sizes = [
  { iterations: 20, rounds: 11 },
  { iterations: 200, rounds: 5 },
  { iterations: 1000, rounds: 3 },
];
const quickSizes = [
  { iterations: 20, rounds: 5 },
  { iterations: 100, rounds: 3 },
];

/** Time per iteration with durable state against a bare shell loop around the same agent. */
export async function measureIterations(bench: Bench): Promise<Measure[]> {
  const gaps: { iterations: number; ours: number; plain: number }[] = [];
  for (const size of bench.isQuick ? quickSizes : sizes) {
    bench.say(`iterations: ${size.rounds} rounds of ${size.iterations}`);
    gaps.push({ iterations: size.iterations, ...(await measureGap(bench, size, "shell")) });
  }
  const rows: Measure[] = gaps.map((gap) => ({
    ...gapRow(`time per iteration, ${gap.iterations} iterations`, gap, { atMost: 1.4 }),
    points: [{ curve: iterationsCurve, x: gap.iterations, y: gap.ours }],
  }));
  bench.say("iterations: 5 rounds of 20, a Node program as agent");
  const nodeGap = await measureGap(bench, { iterations: 20, rounds: 5 }, "node");
  rows.push(gapRow("the same, 20 iterations of a Node program", nodeGap, null));
  const [first, last] = [gaps[0], gaps.at(-1)];
  if (first === undefined || last === undefined) return rows;
  const flat: Measure = {
    name: `iteration ${last.iterations} against iteration ${first.iterations}`,
    ours: `${last.ours.toFixed(2)} ms`,
    plain: `${first.ours.toFixed(2)} ms`,
    value: last.ours / first.ours,
    unit: "×",
    target: { atMost: 1.2 },
  };
  return [...rows, flat];
}

const iterationsCurve = { title: "Time per iteration, by the length of the run", of: "iterations", unit: "ms" };

type Gap = { ours: number; plain: number };

function gapRow(name: string, { ours, plain }: Gap, target: Measure["target"]): Measure {
  const shown = { ours: `${ours.toFixed(2)} ms`, plain: `${plain.toFixed(2)} ms` };
  return { name, ...shown, value: ours / plain, unit: "×", target };
}

/**
 * The start of the program (and of the shell) is taken out by a run of one iteration in the same round: what `n - 1`
 * further iterations cost, divided by `n - 1`.
 */
async function measureGap(
  { root, folder }: Bench,
  { iterations, rounds }: { iterations: number; rounds: number },
  agentKind: "shell" | "node",
): Promise<Gap> {
  // A folder, and so a store, of its own for each size. The store lies beside the project: a turn looks at the files in it.
  const scratch = join(folder, `iterations-${agentKind}-${iterations}`);
  const project = join(scratch, "project");
  mkdirSync(join(project, ".ralph"), { recursive: true });
  const agent = writeInstantAgent(scratch, agentKind);
  writeFileSync(join(project, "prompt.md"), "Go on.\n");
  // The instant agent changes nothing, which would end the run after five iterations.
  writeFileSync(join(project, ".ralph", "settings.json"), '{ "breaker": { "noProgress": null } }\n');
  const env = benchEnvironment(scratch);
  const plainMs = (count: number): Promise<number> =>
    timeProcess({ argv: ["/bin/sh", "-c", bareLoop, "sh", String(count), agent], cwd: project, env });
  const oursMs = (count: number): Promise<number> => {
    const ralph = [process.execPath, join(root, "bin", "ralph.js"), "run", "-f", "prompt.md"];
    const argv = [...ralph, "--agent", agent, "-m", String(count), "-C", project];
    return timeProcess({ argv, cwd: project, env, exitCodes: [1] });
  };
  const [ours, plain]: [number[], number[]] = [[], []];
  await oursMs(1);
  for (let round = 0; round < rounds; round += 1) {
    const [plainOne, oursOne] = [await plainMs(1), await oursMs(1)];
    plain.push(((await plainMs(iterations)) - plainOne) / (iterations - 1));
    ours.push(((await oursMs(iterations)) - oursOne) / (iterations - 1));
  }
  return { ours: median(ours), plain: median(plain) };
}

const bareLoop = `
i=0
while [ "$i" -lt "$1" ]; do
  cat prompt.md | "$2" -p --output-format stream-json --verbose >> bare.log
  i=$((i + 1))
done`;
