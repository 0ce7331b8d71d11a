import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { createProcTable } from "../../src/shell/processes/proc-table.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { carriersOf, eventually, isThere, newMarker, orderOf, startProgram } from "./start-program.ts";

const cases = [
  { program: "leaves-orphan.sh", what: "an orphan that holds standard output open (R-65, R-80)" },
  { program: "leaves-nohup.sh", what: "a nohup'ed child (R-80)" },
  { program: "leaves-setsid-daemon.mjs", what: "a daemon in its own session (R-80)" },
];

for (const { program: name, what } of cases) {
  it(`ends ${what} after a normal exit without force`, async () => {
    const program = await startProgram(name, { killGraceMs: 10_000 });
    const end = await program.process.ended;
    expect(end).toMatchObject({ exitCode: 0, isCut: false, isForced: false, leftoverCount: 1, survivors: [] });
    expect(isThere(Number(await program.firstLine()))).toBe(false);
    expect(carriersOf(program.turnMarker)).toEqual([]);
  });
}

it("kills a left-over daemon that ignores SIGTERM (R-80, R-81)", async () => {
  const program = await startProgram("leaves-stubborn-daemon.mjs");
  const end = await program.process.ended;
  expect(end).toMatchObject({ exitCode: 0, isForced: true, survivors: [] });
  expect(isThere(Number(await program.firstLine()))).toBe(false);
});

it("is not held up by a process that got away and keeps standard output open (R-65)", async () => {
  const program = await startProgram("lets-a-child-escape.mjs");
  expect(await program.process.ended).toMatchObject({ exitCode: 0, survivors: [] });
  const pid = Number(await program.firstLine());
  expect(isThere(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
  await eventually(() => expect(isThere(pid)).toBe(false));
});

it.skipIf(process.platform !== "linux")(
  "remembers a descendant without environment that was seen before its parent exited (R-80)",
  async () => {
    const table = createProcTable();
    let surveys = 0;
    const readAll: typeof table.readAll = (since) => {
      const rows = table.readAll(since);
      surveys += 1;
      return rows;
    };
    const processes = createProcesses({ table: { ...table, readAll }, sampleMs: 20 });
    const program = await startProgram("clears-environment.mjs", {}, { processes });
    const pid = Number(await program.firstLine());
    const surveysBefore = surveys;
    await eventually(() => expect(surveys).toBeGreaterThan(surveysBefore));
    process.kill(program.process.identity.pid, "SIGUSR2");
    expect(await program.process.ended).toMatchObject({ exitCode: 0, leftoverCount: 1, survivors: [] });
    expect(isThere(pid)).toBe(false);
  },
);

it("knows itself and tells the living from the dead and from a reused number (R-97)", async () => {
  const processes = createProcesses();
  const self = await processes.self();
  expect(self.pid).toBe(process.pid);
  expect(processes.isAlive(self)).toBe(true);
  expect(processes.isAlive({ ...self, startTime: `${self.startTime}0` })).toBe(false);

  const program = await startProgram("never-exits.sh");
  expect(processes.isAlive(program.process.identity)).toBe(true);
  program.process.cut();
  await program.process.ended;
  expect(processes.isAlive(program.process.identity)).toBe(false);
});

it.skipIf(process.platform !== "linux")("does not count a zombie as alive", async () => {
  const program = await startProgram("leaves-zombie.sh");
  const pid = Number(await program.firstLine());
  const table = createProcTable();
  await eventually(() => expect(table.readOne(pid)?.isZombie).toBe(true));
  const startTime = table.readOne(pid)?.startTime ?? "";
  expect(createProcesses().isAlive({ pid, startTime })).toBe(false);
  program.process.cut();
  expect(await program.process.ended).toMatchObject({ leftoverCount: 0, survivors: [] });
});

/** Starts a program the way a driver did that has died since: nobody looks after it. */
async function abandon(name: string, parameters: string[] = []): Promise<{ child: ChildProcess; turnMarker: string }> {
  const { argv, env, cwd, turnMarker } = orderOf(name, {}, parameters);
  const child = spawn(argv[0] ?? "", argv.slice(1), { env, cwd, detached: true, stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(async () => {
    await createProcesses().endLeftovers(turnMarker, null, 200);
  });
  if (child.stdout !== null) await once(child.stdout, "data");
  return { child, turnMarker };
}

it("ends what a dead driver left behind, by recorded process and marker (R-80)", async () => {
  const processes = createProcesses();
  const { child, turnMarker } = await abandon("grows-a-tree.mjs", ["grandchildren", "daemon-with-children"]);
  const pid = child.pid ?? 0;
  await eventually(() => expect(carriersOf(turnMarker).length).toBe(7));
  const startTime = createProcTable().readOne(pid)?.startTime ?? "";
  expect(await processes.endLeftovers(turnMarker, { pid, startTime }, 2_000)).toEqual({ ended: 7, survivors: [] });
  expect(carriersOf(turnMarker)).toEqual([]);
  expect(await processes.endLeftovers(turnMarker, { pid, startTime }, 2_000)).toEqual({ ended: 0, survivors: [] });
});

it("ends what a dead driver left behind by the marker alone, when no process was recorded (R-80)", async () => {
  const { child, turnMarker } = await abandon("leaves-setsid-daemon.mjs");
  if (child.exitCode === null) await once(child, "exit");
  expect(await createProcesses().endLeftovers(turnMarker, null, 2_000)).toEqual({ ended: 1, survivors: [] });
  expect(carriersOf(turnMarker)).toEqual([]);
});

it("leaves a stranger alone that has got the number of a recorded process (R-80)", async () => {
  const { child, turnMarker } = await abandon("never-exits.sh");
  const pid = child.pid ?? 0;
  const startTime = createProcTable().readOne(pid)?.startTime ?? "";
  const earlier = startTime.replace(/\d+$/, (ticks) => String(Number(ticks) - 1));
  const processes = createProcesses();
  const nobody = newMarker();
  expect(await processes.endLeftovers(nobody, { pid, startTime: earlier }, 200)).toEqual({ ended: 0, survivors: [] });
  expect(await processes.endLeftovers(nobody, { pid, startTime: "other:1" }, 200)).toEqual({ ended: 0, survivors: [] });
  expect(isThere(pid)).toBe(true);
  await processes.endLeftovers(turnMarker, { pid, startTime }, 200);
  expect(carriersOf(turnMarker)).toEqual([]);
});

it("leaves alone what this very program started beside the turn of its own function", async () => {
  const { child, turnMarker } = await abandon("never-exits.sh");
  const processes = createProcesses();
  const ended = await processes.endLeftovers(newMarker(), await processes.self(), 200);
  expect(ended).toEqual({ ended: 0, survivors: [] });
  expect(isThere(child.pid ?? 0)).toBe(true);
  await processes.endLeftovers(turnMarker, null, 200);
});

it("ends what bears a marker below its own, and nobody side by side with it (S2-59)", async () => {
  const turnMarker = newMarker();
  const processes = createProcesses();
  const start = async (below: string) => {
    const order = orderOf("never-exits.sh", {
      turnMarker: below,
      env: { ...process.env, RALPH_TURN: below },
    });
    const started = await processes.start(order);
    if (!started.isStarted) throw new Error(started.message);
    onTestFinished(() => started.process.cut());
    return started.process;
  };
  const [first, second, tenth] = [
    await start(`${turnMarker}/1`),
    await start(`${turnMarker}/2`),
    await start(`${turnMarker}/10`),
  ];
  first.cut();
  expect(await first.ended).toMatchObject({ isCut: true, survivors: [] });
  expect([second, tenth].map(({ identity }) => processes.isAlive(identity))).toEqual([true, true]);
  expect(await processes.endLeftovers(turnMarker, null, 200)).toMatchObject({ survivors: [] });
  expect([second, tenth].map(({ identity }) => processes.isAlive(identity))).toEqual([false, false]);
});
