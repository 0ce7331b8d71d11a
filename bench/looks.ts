import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cpuTime, mean } from "./cpu-time.ts";
import { writeInstantAgent } from "./instant-agent.ts";
import type { Bench } from "./main.ts";
import type { Measure } from "./measure.ts";
import { benchEnvironment, timeProcess } from "./time-process.ts";

/** Files of the repositories that are looked at; the first is the reference. */
const sizes = [20, 1000, 10_000, 50_000];
const quickSizes = [20, 1000, 5000];
/** Files that git ignores, 100 kB each: 1 GB, and with `--quick` a tenth of it. */
const ignoredFiles = 10_000;
const ignoredBytes = 100_000;

/** A repository with files, and what its runs are started with. */
type Scene = { files: number; project: string; env: Record<string, string>; agent: string };
type Kind = { name: string; words: (scene: Scene, iterations: number) => string[] };

const kinds: readonly Kind[] = [
  {
    name: "run with requireProgress",
    words: ({ agent, project }, count) => ["run", "-p", "Go on.", "--agent", agent, "-m", String(count), "-C", project],
  },
  {
    name: "prd run",
    words: ({ agent, project }, count) => [
      "prd",
      "run",
      "--unsafe",
      "--agent",
      agent,
      "-n",
      String(count),
      "-C",
      project,
    ],
  },
];

/** What one iteration costs in repositories of many files against one of a few, and how many git processes it starts. */
export async function measureLooks(bench: Bench): Promise<Measure[]> {
  const scenes: Scene[] = [];
  for (const files of bench.isQuick ? quickSizes : sizes) {
    bench.say(`looks: a repository of ${files} files`);
    scenes.push(await makeScene(bench, files));
  }
  const measures: Measure[] = [];
  for (const kind of kinds) {
    bench.say(`looks: ${kind.name}`);
    measures.push(...(await measureKind(bench, kind, scenes)));
  }
  return [...measures, await measureIgnored(bench)];
}

async function measureKind(bench: Bench, kind: Kind, scenes: readonly Scene[]): Promise<Measure[]> {
  const times = new Map(scenes.map((scene) => [scene, [] as number[]]));
  for (let round = bench.isQuick ? 2 : 4; round > 0; round -= 1)
    for (const scene of scenes) times.get(scene)?.push(await iterationMs(bench, kind, scene));
  const [tiny, ...others] = scenes;
  if (tiny === undefined) return [];
  const plain = mean(times.get(tiny) ?? []);
  const curve = {
    title: `CPU per iteration of \`${kind.name}\`, by the size of the repository`,
    of: "files",
    unit: "ms",
  };
  const rows = others.map((scene): Measure => {
    const ours = mean(times.get(scene) ?? []);
    const shown = { ours: `${ours.toFixed(0)} ms`, plain: `${plain.toFixed(0)} ms`, value: ours / plain };
    return {
      name: `CPU per iteration of \`${kind.name}\`, ${scene.files} files`,
      ...shown,
      unit: "×",
      target: { atMost: 1.3 },
      points: [
        { curve, x: scene.files, y: ours },
        ...(scene === others[0] ? [{ curve, x: tiny.files, y: plain }] : []),
      ],
    };
  });
  const count = await processCount(bench, kind, tiny);
  const shown = { ours: count.toFixed(1), plain: "", value: count };
  return [
    ...rows,
    { name: `git processes per iteration of \`${kind.name}\``, ...shown, unit: "", target: { atMost: 4 } },
  ];
}

/** Iterations beyond the first of a run: the start and the first look are taken out by a run of one. */
const further = 8;

async function iterationMs({ root }: Bench, kind: Kind, scene: Scene): Promise<number> {
  const ms = (count: number): Promise<number> =>
    cpuTime({
      argv: [...ralph(root), ...kind.words(scene, count)],
      cwd: scene.project,
      env: scene.env,
      exitCodes: [1],
    });
  const one = await ms(1);
  return ((await ms(1 + further)) - one) / further;
}

/** A git that stands first on the path notes each start. */
async function processCount({ root, folder }: Bench, kind: Kind, scene: Scene): Promise<number> {
  const bin = join(folder, "counting");
  const list = join(folder, "starts");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho . >> '${list}'\nPATH="\${PATH#*:}" exec git "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  const env = { ...scene.env, PATH: [bin, scene.env["PATH"]].join(delimiter) };
  const starts = async (count: number): Promise<number> => {
    writeFileSync(list, "");
    const argv = [...ralph(root), ...kind.words(scene, count)];
    await timeProcess({ argv, cwd: scene.project, env, exitCodes: [1] });
    return readFileSync(list, "utf8").length / 2;
  };
  const one = await starts(1);
  return ((await starts(1 + further)) - one) / further;
}

/** The same iteration beside a great many files that git ignores. */
async function measureIgnored(bench: Bench): Promise<Measure> {
  const count = bench.isQuick ? ignoredFiles / 10 : ignoredFiles;
  bench.say(`looks: ${count} ignored files`);
  const plain = await makeScene(bench, 1001);
  const ignored = await makeScene(bench, 1002);
  const content = Buffer.alloc(ignoredBytes, 7);
  for (let at = 0; at < count; at += 1) {
    const folder = join(ignored.project, "node_modules", `package-${at % 500}`);
    if (at < 500) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${at}.bin`), content);
  }
  const [kind] = kinds;
  const times: { ours: number[]; plain: number[] } = { ours: [], plain: [] };
  for (let round = 4; round > 0 && kind !== undefined; round -= 1) {
    times.plain.push(await iterationMs(bench, kind, plain));
    times.ours.push(await iterationMs(bench, kind, ignored));
  }
  const [ours, reference] = [mean(times.ours), mean(times.plain)];
  const shown = { ours: `${ours.toFixed(0)} ms`, plain: `${reference.toFixed(0)} ms`, value: ours / reference };
  return { name: `the same beside ${count} ignored files of 100 kB`, ...shown, unit: "×", target: { atMost: 1.1 } };
}

function ralph(root: string): string[] {
  return [process.execPath, join(root, "bin", "ralph.js")];
}

async function makeScene({ folder }: Bench, files: number): Promise<Scene> {
  const scratch = join(folder, `looks-${files}`);
  const project = join(scratch, "project");
  const env = benchEnvironment(scratch);
  writeFiles(project, files);
  const identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"];
  const git = (...words: string[]): Promise<number> => timeProcess({ argv: ["git", ...words], cwd: project, env });
  await git("init", "--quiet");
  await git("add", "--all");
  await git(...identity, "commit", "--quiet", "--message", "Begin");
  return { files, project, env, agent: writeInstantAgent(scratch) };
}

function writeFiles(project: string, files: number): void {
  const write = (name: string, text: string): void => {
    mkdirSync(join(project, name, ".."), { recursive: true });
    writeFileSync(join(project, name), text);
  };
  for (let at = 0; at < files; at += 1)
    write(
      `src/part-${at % 50}/sub-${Math.floor(at / 50) % 20}/file-${at}.ts`,
      `export const value${at} = ${at};\n`.repeat(10),
    );
  write(".gitignore", "node_modules/\n.ralph-active\n");
  // The instant agent changes no list, and its notes are no reason to end the run.
  write(
    ".ralph/settings.json",
    JSON.stringify({ breaker: { noProgress: null }, completion: { requireProgress: true } }),
  );
  write("ralph/prd.md", "# The PRD\n");
  write("ralph/progress.txt", "# Progress\n");
  write("ralph/prompt.md", "{{ROLE}} {{TASK}} in {{RALPH_DIR}}.\n");
  const story = {
    id: "S-1",
    title: "One",
    description: "",
    acceptanceCriteria: ["It works"],
    priority: 1,
    passes: false,
  };
  const open = { reviewStatus: null, reviewCount: 0, reviewFeedback: "", notes: "", dependsOn: [] };
  const list = {
    project: "bench",
    branchName: "bench",
    description: "",
    verifyCommands: [],
    userStories: [{ ...story, ...open }],
  };
  write("ralph/tasks.json", `${JSON.stringify(list, null, 2)}\n`);
}
