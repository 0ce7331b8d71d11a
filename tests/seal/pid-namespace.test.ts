import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type { ProcessOrder, Processes } from "../../src/shell/ports.ts";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { probePidNamespace, withPidNamespace } from "../../src/shell/seal/namespace/pid-namespace.ts";
import { carriersOf, eventually, isThere, newMarker } from "../process/start-program.ts";

const plain = createProcesses();
const env = { PATH: process.env["PATH"] ?? "" };
const probed = await probePidNamespace({ processes: plain, env, directory: "/" });
const contained = withPidNamespace(plain, () => Promise.resolve(probed));

function orderOf(script: string, overrides: Partial<ProcessOrder> = {}): ProcessOrder & { said(): string } {
  const turnMarker = newMarker();
  let text = "";
  return {
    purpose: "agent",
    argv: ["sh", "-c", script],
    cwd: tmpdir(),
    env: { ...env, RALPH_TURN: turnMarker },
    stdin: null,
    turnMarker,
    idleMs: null,
    wallMs: null,
    killGraceMs: 10_000,
    onStdout: (chunk) => {
      text += Buffer.from(chunk).toString();
      return undefined;
    },
    onStderr: () => undefined,
    said: () => text,
    ...overrides,
  };
}

async function run(processes: Processes, order: ProcessOrder) {
  const started = await processes.start(order);
  if (!started.isStarted) throw new Error(started.message);
  return started.process.ended;
}

/** Pids of this machine whose command line holds a text. */
function running(text: string): number[] {
  const lines = execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" }).split("\n");
  return lines
    .filter((line) => line.includes(text) && !line.includes("ps -eo"))
    .map((line) => Number.parseInt(line, 10));
}

/** A daemon without environment, in a session of its own, whose parent is gone before anybody looks. */
const escape = (seconds: string): string =>
  `env -i setsid -f sleep ${seconds} </dev/null >/dev/null 2>&1; while ! ps -eo args | grep -q '^sleep ${seconds}'; do sleep 0.05; done`;

describe.skipIf(probed.prefix === null)("a turn in a PID namespace", () => {
  it("ends a daemon that escapes without it", async () => {
    const [free, held] = [`${process.pid}.1${Date.now()}`, `${process.pid}.2${Date.now()}`];
    expect(await run(plain, orderOf(escape(free)))).toMatchObject({ exitCode: 0, survivors: [] });
    const escaped = running(`sleep ${free}`);
    expect(escaped).toHaveLength(1);
    for (const pid of escaped) process.kill(pid, "SIGKILL");
    const end = await run(contained, orderOf(escape(held)));
    expect(end).toMatchObject({ exitCode: 0, isForced: false, survivors: [] });
    expect(running(`sleep ${held}`)).toEqual([]);
  });

  it("passes exit codes, signals, input and output on", async () => {
    expect(await run(contained, orderOf("exit 7"))).toMatchObject({ exitCode: 7, signal: null });
    expect(await run(contained, orderOf("kill -9 $$"))).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    const order = orderOf("cat; echo $RALPH_TURN", { stdin: "hello\n" });
    await run(contained, order);
    expect(order.said()).toBe(`hello\n${order.turnMarker}\n`);
  });

  it("gives a program that is cut its grace, and ends all of it", async () => {
    const order = orderOf('trap "echo bye; exit 3" TERM; echo ready; sleep 600 & wait');
    const started = await contained.start(order);
    if (!started.isStarted) throw new Error(started.message);
    await eventually(() => expect(order.said()).toContain("ready"));
    started.process.cut();
    const end = await started.process.ended;
    expect(order.said()).toBe("ready\nbye\n");
    expect(end).toMatchObject({ isCut: true, exitCode: 3, survivors: [], isForced: false });
    expect(carriersOf(order.turnMarker)).toEqual([]);
  });

  it("ends with a kill of its first process alone, daemons included", async () => {
    const seconds = `${process.pid}.3${Date.now()}`;
    const order = orderOf(`${escape(seconds)}; echo ready; sleep 600`);
    const started = await contained.start(order);
    if (!started.isStarted) throw new Error(started.message);
    await eventually(() => expect(order.said()).toContain("ready"));
    expect(running(`sleep ${seconds}`)).toHaveLength(1);
    process.kill(started.process.identity.pid, "SIGKILL");
    await started.process.ended;
    await eventually(() => expect(running(`sleep ${seconds}`)).toEqual([]));
  });

  it("is found again by its identity and ended by whoever resumes", async () => {
    const seconds = `${process.pid}.4${Date.now()}`;
    const order = orderOf(`${escape(seconds)}; echo ready; sleep 600`);
    const started = await contained.start(order);
    if (!started.isStarted) throw new Error(started.message);
    const { identity, ended } = started.process;
    await eventually(() => expect(order.said()).toContain("ready"));
    expect(plain.isAlive(identity)).toBe(true);
    const { survivors } = await plain.endLeftovers(order.turnMarker, identity, 200);
    expect(survivors).toEqual([]);
    await ended;
    expect([isThere(identity.pid), running(`sleep ${seconds}`)]).toEqual([false, []]);
  });

  it("tells which namespace it made, as whoever is inside sees it", async () => {
    const order = orderOf("readlink /proc/self/ns/pid; sleep 600");
    const started = await contained.start(order);
    if (!started.isStarted) throw new Error(started.message);
    await eventually(() => expect(order.said()).toContain("pid:"));
    expect(order.said().trim()).toBe(started.process.ownNamespace);
    started.process.cut();
    await started.process.ended;
  });

  it("keeps the owner of a lock alive for everybody outside while the turn lives, and no longer", async () => {
    const order = orderOf("readlink /proc/self/ns/pid; cut -d' ' -f1,22 /proc/self/stat; sleep 600");
    const started = await contained.start(order);
    if (!started.isStarted) throw new Error(started.message);
    await eventually(() => expect(order.said().trim().split("\n")).toHaveLength(2));
    const [namespace = "", numbers = ""] = order.said().split("\n");
    const [pid, ticks] = numbers.split(" ");
    const { startTime } = await plain.self();
    const owner = { pid: Number(pid), startTime: startTime.replace(/:.*/, `:${ticks}`), namespace };
    expect(plain.isAlive(owner)).toBe(true);
    started.process.cut();
    await started.process.ended;
    expect(plain.isAlive(owner)).toBe(false);
  });

  it("fails to start as it does without a namespace", async () => {
    const missing = await contained.start(orderOf("", { argv: ["no-such-program-here"] }));
    expect(missing).toMatchObject({ isStarted: false, kind: "not-found" });
    const nowhere = await contained.start(orderOf("true", { cwd: "/no/such/folder" }));
    expect(nowhere).toMatchObject({ isStarted: false, kind: "bad-directory" });
  });

  it("is for turns alone, and not for those whose children may stay", async () => {
    const inside = "readlink /proc/self/ns/pid";
    const own = execFileSync("readlink", ["/proc/self/ns/pid"], { encoding: "utf8" });
    const spaceOf = async (overrides: Partial<ProcessOrder>): Promise<string> => {
      const order = orderOf(inside, overrides);
      await run(contained, order);
      return order.said();
    };
    expect(await spaceOf({ purpose: "check" })).toBe(own);
    expect(await spaceOf({ isUncontained: true })).toBe(own);
    expect(await spaceOf({ exempt: async () => new Set<number>() })).toBe(own);
    expect(await spaceOf({})).not.toBe(own);
  });
});

describe("a machine where turns cannot have a PID namespace", () => {
  const probeWith = (argvOf: (argv: readonly string[]) => readonly string[]) =>
    probePidNamespace({
      processes: { start: (order) => plain.start({ ...order, argv: argvOf(order.argv) }) },
      env,
      directory: "/",
    });

  it.skipIf(probed.prefix === null)("is known by what bwrap says", async () => {
    const { prefix, problem } = await probeWith(() => ["sh", "-c", "echo no permission to make one >&2; exit 1"]);
    expect([prefix, problem]).toEqual([null, "bwrap does not work here (no permission to make one)"]);
  });

  it.skipIf(probed.prefix === null)("is not taken in by a program that only starts what it is given", async () => {
    const { prefix } = await probeWith((argv) => argv.slice(argv.lastIndexOf("--") + 1));
    expect(prefix).toBeNull();
  });

  it("says why and starts turns as before", async () => {
    const processes = withPidNamespace(plain, () => Promise.resolve({ prefix: null, problem: "bwrap is not there" }));
    expect(await processes.whyUncontained?.()).toBe("bwrap is not there");
    const order = orderOf("readlink /proc/self/ns/pid");
    expect(await run(processes, order)).toMatchObject({ exitCode: 0 });
    expect(order.said()).toBe(execFileSync("readlink", ["/proc/self/ns/pid"], { encoding: "utf8" }));
  });
});
