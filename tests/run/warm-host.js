// Runs commands of the built program one after another, as `warm-program.ts` asks; each sees a process of its own.
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, "..", "..");
const main = join(root, "dist", "cli", "main.cjs");
/** What stays open between commands: the channel to the tests. */
const ownResources = new Set(["PipeWrap"]);
const exitProcess = process.exit.bind(process);
/** How long a command that has ended may still close things; a host that waited longer makes way for a new one. */
const restMsMax = 500;

process.on("disconnect", () => exitProcess(0));
process.on("message", (order) => void serve(order));

async function serve(order) {
  process.send(await perform(order));
  if (await comesToRest()) process.send("at rest");
  else exitProcess(0);
}

/** Runs one command, then ends what the exit of a process would end. */
async function perform({ words, cwd, env, stdin }) {
  const kept = new Set(listeners().map(([, listener]) => listener));
  const stopTimers = watchTimers();
  const outputs = { stdout: collect(1), stderr: collect(2) };
  process.chdir(cwd);
  replaceEnvironment(env);
  process.argv = [process.execPath, join(root, "bin", "ralph.js"), ...words];
  const streams = { stdin: Readable.from(stdin.length === 0 ? [] : [stdin], { objectMode: false }), ...outputs };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  const code = await runMain();
  const added = listeners().filter(([, listener]) => !kept.has(listener));
  for (const [name, listener] of added) if (name === "exit") listener(code);
  for (const [name, listener] of added) process.off(name, listener);
  stopTimers();
  process.exitCode = undefined;
  return { code, stdout: outputs.stdout.text(), stderr: outputs.stderr.text() };
}

/** The entry point runs again for each command; what it requires stays loaded. */
function runMain() {
  return new Promise((resolve, reject) => {
    process.exit = (code) => resolve(code ?? process.exitCode ?? 0);
    delete require.cache[main];
    try {
      require(main);
    } catch (error) {
      reject(error);
    }
  });
}

function replaceEnvironment(env) {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
}

/** A pipe that somebody reads at once. */
function collect(fd) {
  const chunks = [];
  const write = (chunk, _encoding, done) => {
    chunks.push(chunk);
    done();
  };
  return Object.assign(new Writable({ write }), { fd, text: () => Buffer.concat(chunks).toString("utf8") });
}

/** A timer that does not keep a process alive ends with it. Here it would go off during a later command. */
function watchTimers() {
  const { setTimeout, setInterval } = globalThis;
  const timers = new Set();
  const watched =
    (start) =>
    (...values) => {
      const timer = start(...values);
      timers.add(timer);
      return timer;
    };
  Object.assign(globalThis, { setTimeout: watched(setTimeout), setInterval: watched(setInterval) });
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval });
    for (const timer of timers) clearTimeout(timer);
  };
}

function listeners() {
  return process.eventNames().flatMap((name) => process.rawListeners(name).map((listener) => [name, listener]));
}

/** Whether everything that the command used is closed, or closes soon: an ended child is known as such a moment later. */
async function comesToRest() {
  const deadline = Date.now() + restMsMax;
  const isAtRest = () => process.getActiveResourcesInfo().every((name) => ownResources.has(name));
  while (!isAtRest() && Date.now() < deadline) await new Promise((resolve) => setImmediate(resolve));
  return isAtRest();
}
