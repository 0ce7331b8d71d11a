import { setTimeout as wait } from "node:timers/promises";
import { findProgram } from "../../lib/find-program.ts";
import { pidNamespaceOf } from "../../lib/pid-namespace-of.ts";
import { readTextFile } from "../../lib/read-text-file.ts";
import { statIfThere } from "../../lib/stat-if-there.ts";
import type { ProcessEnd, ProcessOrder, Processes, ProcessStart, RunningProcess } from "../../ports.ts";
import { type ProbeContext, tryProgram } from "./bubblewrap.ts";

/** How a turn is started in a PID namespace here, or a clause that says why it cannot be. */
export type PidNamespaceProbe = { prefix: readonly string[]; problem: null } | { prefix: null; problem: string };

/**
 * The whole machine, but for its processes. `--proc` must be with it: pids inside are others. Nothing dies with ralph: a git of
 * the agent that the kernel kills leaves its lock in the repository, and a resume ends what a killed ralph left with a grace.
 */
const flags = ["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid"];

/**
 * Outside, bwrap must outlive SIGTERM: with it the kernel would kill the agent at once, without its grace. Inside, the signals
 * work again.
 */
const ignoring = ["-c", 'trap "" TERM INT HUP; exec "$@"', "sh"];
const heeding = ["--default-signal=TERM,INT,HUP", "--"];

/** Where a system has its own programs. They come first: folders of the user's PATH may be the agent's to write. */
const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A process that sees the new namespace: its own number, as it knows it and as `/proc` shows it. */
const look = ["-c", 'read -r pid rest </proc/self/stat; echo "$pid $$"'];

/** Finds out whether turns can have a PID namespace, by making one. Must not reject. */
export async function probePidNamespace(context: ProbeContext): Promise<PidNamespaceProbe> {
  const env = { ...context.env, PATH: `${systemPath}:${context.env["PATH"] ?? ""}` };
  const find = (name: string): Promise<string | null> => findProgram(name, { ...context, env });
  const [program, shell, restore] = await Promise.all([find("bwrap"), find("sh"), find("env")]);
  if (program === null || shell === null) return { prefix: null, problem: "bwrap (bubblewrap) is not installed" };
  const plain = [program, ...flags, "--"];
  const gentle = restore === null ? [] : [[shell, ...ignoring, ...plain, restore, ...heeding]];
  let said = "";
  for (const prefix of [...gentle, plain]) {
    const { isGood, output } = await tryProgram([...prefix, shell, ...look], context);
    if (isGood && isInside(output)) return { prefix, problem: null };
    said = output;
  }
  return { prefix: null, problem: `bwrap does not work here (${said.trim().split("\n").at(-1) ?? ""})` };
}

// The first process is bwrap's own; a program that it starts is the second.
function isInside(output: string): boolean {
  return output.trim() === "2 2";
}

/**
 * Starts every order of purpose `agent` in a PID namespace of its own: when its first process ends, the kernel ends whatever is
 * left, daemons without environment and parent included. Orders whose children may stay alive (`exempt`) pass unchanged.
 */
export function withPidNamespace(processes: Processes, probe: () => Promise<PidNamespaceProbe>): Processes {
  let found: Promise<PidNamespaceProbe> | null = null;
  const findOnce = (): Promise<PidNamespaceProbe> => (found ??= probe());
  return {
    ...processes,
    start: (order) => start(processes, order, findOnce),
    whyUncontained: async () => (await findOnce()).problem,
  };
}

async function start(
  processes: Processes,
  order: ProcessOrder,
  find: () => Promise<PidNamespaceProbe>,
): Promise<ProcessStart> {
  const isMeant = order.purpose === "agent" && order.exempt === undefined && order.isUncontained !== true;
  const prefix = isMeant ? (await find()).prefix : null;
  // What cannot start fails as it would without us: the port says why.
  if (prefix === null || !(await canStart(order))) return processes.start(order);
  const started = await processes.start({ ...order, argv: [...prefix, ...order.argv] });
  if (!started.isStarted) return started;
  const { process } = started;
  const ended = process.ended.then(withSignal);
  const namespace = await namespaceMadeBy(process);
  const place = namespace === null ? {} : { ownNamespace: namespace };
  return { isStarted: true, process: { ...process, ...place, ended } };
}

async function canStart({ argv, cwd, env }: ProcessOrder): Promise<boolean> {
  if (statIfThere(cwd)?.isDirectory() !== true) return false;
  return (await findProgram(argv[0] ?? "", { env, directory: cwd })) !== null;
}

/** A namespace is there after 10 ms; one that is not after this is not waited for, and the turn is known by its other marks. */
const appearMsMax = 1_000;
const pollMs = 2;

/** The namespace of the first child, as soon as it has one of its own. Null: the process ended before, or nobody can see it. */
async function namespaceMadeBy({ identity, ended }: RunningProcess): Promise<string | null> {
  const own = pidNamespaceOf("self");
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (const dueMs = performance.now() + appearMsMax; !isOver && performance.now() < dueMs; await wait(pollMs)) {
    const children = childrenOf(identity.pid);
    if (children === null) return null;
    const made = children.map(pidNamespaceOf).find((each) => each !== null && each !== own);
    if (made !== undefined) return made;
  }
  return null;
}

/** A line of a few pids. Null: the process is gone, or the kernel was built without this file, so that waiting is of no use. */
function childrenOf(pid: number): number[] | null {
  try {
    const line = readTextFile(`/proc/${pid}/task/${pid}/children`, { bytesMax: 4096, links: "refuse" });
    return line === null ? null : line.split(" ").filter(Boolean).map(Number);
  } catch {
    return null;
  }
}

/**
 * Bwrap exits with 128 and the signal that ended its program. Programs do not say these themselves; 130 and 143 many do, after
 * they have handled SIGINT and SIGTERM, so these stay exit codes.
 */
function withSignal(end: ProcessEnd): ProcessEnd {
  const signal = end.exitCode === null ? undefined : signals[end.exitCode];
  return signal === undefined ? end : { ...end, exitCode: null, signal };
}

const signals: Readonly<Record<number, string>> = {
  129: "SIGHUP",
  131: "SIGQUIT",
  132: "SIGILL",
  133: "SIGTRAP",
  134: "SIGABRT",
  135: "SIGBUS",
  136: "SIGFPE",
  137: "SIGKILL",
  139: "SIGSEGV",
  152: "SIGXCPU",
  153: "SIGXFSZ",
  159: "SIGSYS",
};
