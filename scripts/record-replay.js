// Records what this checkout, or the built one at --program, stores: a fixture of tests/replay (see its README).
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { environmentOf, makeProject } from "./replay-project.js";
import { scenarios } from "./replay-scenarios.js";

/** Recorded here, so that a fixture names no folder of a machine; a test puts its own folder in place of it. */
const root = "/tmp/ralph-fixture";
const checkout = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { program: { type: "string", default: checkout }, name: { type: "string" } } });
const launcher = join(values.program, "bin", "ralph.js");
const git = (...words) => execFileSync("git", ["-C", values.program, ...words], { encoding: "utf8" }).trim();

await main();

async function main() {
  const commit = git("rev-parse", "HEAD");
  const target = join(checkout, "tests", "fixtures", "replay", values.name ?? commit.slice(0, 7));
  if (existsSync(root)) throw new Error(`${root} is in the way: remove it first.`);
  try {
    for (const name of ["state", "home", "tmp", "hanging"]) mkdirSync(join(root, name), { recursive: true });
    const help = spawnSync(process.execPath, [launcher, "--help"], { encoding: "utf8" }).stdout;
    const known = scenarios.filter(({ needs }) => new RegExp(`^  ${needs} `, "m").test(help));
    const found = [];
    for (const scenario of known) found.push(...(await record(scenario)));
    keep(target, { commit, root, runs: found, sessions: known.filter(({ hooks }) => hooks).map(({ name }) => name) });
    console.log(`recorded ${found.length} runs in ${target}`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Plays one scenario and tells which runs it left. */
async function record(scenario) {
  const before = readRuns().map(({ id }) => id);
  const project = makeProject(root, scenario);
  if (scenario.needs === "work") ralph(project, ["task", "import", "one.json"]);
  if (scenario.hooks)
    for (const hook of scenario.hooks) ralph(project, ["hook", hook], eventOf(scenario.name, project, hook));
  else await play(project, scenario);
  return readRuns()
    .filter(({ id }) => !before.includes(id))
    .map((run) => ({ scenario: scenario.name, ...run }));
}

function ralph(cwd, words, input = "") {
  return spawnSync(process.execPath, [launcher, ...words], { cwd, env: environmentOf(root), input, timeout: 60_000 });
}

/** Starts the program and, where the scenario says so, stops it where it hangs. */
async function play(cwd, { name, words, stop }) {
  const child = spawn(process.execPath, [launcher, ...words], { cwd, env: environmentOf(root), stdio: "ignore" });
  const ended = new Promise((resolve) => void child.once("exit", resolve));
  if (stop !== undefined) {
    const hanging = join(root, "hanging", name);
    const isAlive = () => child.exitCode === null;
    for (let waited = 0; !existsSync(hanging) && isAlive() && waited < 30_000; waited += 20)
      await new Promise((resolve) => void setTimeout(resolve, 20));
    if (!existsSync(hanging)) throw new Error(`${name} never came to where it hangs`);
    child.kill(stop);
    if (stop === "SIGKILL") endHanging(hanging);
    // The first interrupt lets the turn end, the second one cuts it.
    else setTimeout(() => child.kill(stop), 1500);
  }
  await ended;
}

/** The killed program left its agent or check: it must not stay. */
function endHanging(path) {
  const pid = Number(readFileSync(path, "utf8"));
  if (pid > 1) process.kill(pid, "SIGKILL");
}

function eventOf(sessionId, cwd, hook) {
  const transcript_path = join(root, "home", `${sessionId}.jsonl`);
  const common = { session_id: sessionId, transcript_path, cwd, permission_mode: "default" };
  const own =
    hook === "stop"
      ? { hook_event_name: "Stop", stop_hook_active: false, last_assistant_message: "I stop now." }
      : { hook_event_name: "UserPromptSubmit", prompt: '/ralph "Fix it" --max-iterations=5' };
  return JSON.stringify({ ...common, ...own });
}

/** What is promised to stay the same after an upgrade, read from the rows themselves. */
function readRuns() {
  const path = join(root, "state", "ralph.db");
  if (!existsSync(path)) return [];
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare("select id, kind, parent_id, outcome, state from runs order by created_at, id").all();
  database.close();
  return rows.map(({ id, kind, parent_id: parentId, outcome, state: text }) => {
    const state = JSON.parse(text);
    return {
      id,
      kind,
      parentId,
      outcome: outcome === null ? null : JSON.parse(outcome).name,
      iteration: state.iteration,
      spend: state.spend,
    };
  });
}

/** Copies what is small and belongs to the fixture; refuses what names this machine. */
function keep(target, manifest) {
  const state = join(root, "state");
  const database = new DatabaseSync(join(state, "ralph.db"));
  // A test puts its own host in place: on another one nobody can tell whether a driver is dead.
  database.exec("update locks set host = 'fixture-host'; pragma journal_mode = delete; vacuum");
  database.close();
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const name of ["ralph.db", "sessions", "streams"])
    if (existsSync(join(state, name))) cpSync(join(state, name), join(target, name), { recursive: true, filter });
  rmSync(join(root, "hang"), { recursive: true, force: true });
  execFileSync("tar", [
    "-czf",
    join(target, "projects.tar.gz"),
    "-C",
    root,
    "--owner=0",
    "--group=0",
    "projects",
    "agents",
    "turns",
  ]);
  writeFileSync(join(target, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const path of readdirSync(target, { recursive: true, withFileTypes: true }))
    if (path.isFile()) refuseNames(join(path.parentPath, path.name));
}

/** The program that a supervised agent calls is made again by a resume. */
function filter(path) {
  return !/[/]streams[/][^/]+[/]bin$/.test(path);
}

function refuseNames(path) {
  const bytes = readFileSync(path).toString("latin1");
  for (const name of [hostname(), userInfo().homedir, values.program, checkout])
    if (name.length > 4 && bytes.includes(name)) throw new Error(`${path} names this machine: ${name}`);
}
