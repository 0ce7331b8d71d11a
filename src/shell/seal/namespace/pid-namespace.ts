import { statSync } from "node:fs";
import { findProgram } from "../../lib/find-program.ts";
import type { ProcessEnd, ProcessOrder, Processes, ProcessStart } from "../../ports.ts";
import { type ProbeContext, tryProgram } from "./bubblewrap.ts";

/** How a turn is started in a PID namespace here. */
export type PidNamespace = { prefix: readonly string[] };

/** The whole machine, but for its processes. `--proc` must be with it: pids inside are others. */
const flags = ["--dev-bind", "/", "/", "--proc", "/proc", "--unshare-pid", "--die-with-parent"];

/**
 * Outside, bwrap must outlive SIGTERM: with it the kernel would kill the agent at once, without its grace. Inside, the signals
 * work again.
 */
const ignoring = ["sh", "-c", 'trap "" TERM INT HUP; exec "$@"', "sh"];
const heeding = ["env", "--default-signal=TERM,INT,HUP", "--"];

/** Finds out whether turns can have a PID namespace; `problem` is a sentence. Must not reject. */
export async function probePidNamespace(
  context: ProbeContext,
): Promise<{ namespace: PidNamespace; problem: null } | { namespace: null; problem: string }> {
  const program = await findProgram("bwrap", context);
  if (program === null) return { namespace: null, problem: "bwrap (bubblewrap) is not installed." };
  const gentle = [...ignoring, program, ...flags, "--", ...heeding];
  if ((await tryProgram([...gentle, "true"], context)).isGood) return { namespace: { prefix: gentle }, problem: null };
  const plain = [program, ...flags, "--"];
  const { isGood, output } = await tryProgram([...plain, "true"], context);
  if (isGood) return { namespace: { prefix: plain }, problem: null };
  return { namespace: null, problem: `bwrap does not work here: ${output.trim().split("\n").at(-1) ?? ""}` };
}

/**
 * Starts every order of purpose `agent` in a PID namespace of its own: when its first process ends, the kernel ends whatever is
 * left, daemons without environment and parent included. Orders whose children may stay alive (`exempt`) pass unchanged.
 */
export function withPidNamespace(processes: Processes, namespace: PidNamespace | null): Processes {
  if (namespace === null) return processes;
  return { ...processes, start: (order) => start(processes, order, namespace) };
}

async function start(processes: Processes, order: ProcessOrder, { prefix }: PidNamespace): Promise<ProcessStart> {
  const isMeant = order.purpose === "agent" && order.exempt === undefined && (await canStart(order));
  // What cannot start fails as it would without us: the port says why.
  if (!isMeant) return processes.start(order);
  const started = await processes.start({ ...order, argv: [...prefix, ...order.argv] });
  if (!started.isStarted) return started;
  const { process } = started;
  return { isStarted: true, process: { ...process, ended: process.ended.then(withSignal) } };
}

async function canStart({ argv, cwd, env }: ProcessOrder): Promise<boolean> {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  return (await findProgram(argv[0] ?? "", { env, directory: cwd })) !== null;
}

/** Bwrap exits with 128 and the signal that ended its program. Programs do not say these themselves. */
function withSignal(end: ProcessEnd): ProcessEnd {
  const signal = end.exitCode === null ? undefined : signals[end.exitCode];
  return signal === undefined ? end : { ...end, exitCode: null, signal };
}

const signals: Readonly<Record<number, string>> = {
  132: "SIGILL",
  134: "SIGABRT",
  135: "SIGBUS",
  136: "SIGFPE",
  137: "SIGKILL",
  139: "SIGSEGV",
};
