import type { ProcessEnd, ProcessOrder, Processes, ProcessStart } from "../../shell/ports.ts";
import { functionCommand } from "./own-functions.ts";
import { thrownText } from "./thrown-text.ts";

/**
 * One turn of an agent that is a function.
 *
 * @example
 * ```ts
 * import { type AgentTurn, runLoop } from "ralph";
 *
 * const agent = ({ prompt, print }: AgentTurn): string => {
 *   print(`I was asked: ${prompt.split("\n")[0]}\n`);
 *   return "<promise>DONE</promise>";
 * };
 * console.log((await runLoop({ prompt: "Say that it is done.", agent, checks: ["true"] }).outcome).name);
 * ```
 */
export type AgentTurn = {
  prompt: string;
  projectDir: string;
  /** Aborted when the turn is cut or has used its time: whoever does not stop then is left alone. */
  signal: AbortSignal;
  /** Prints some of the agent's words before it ends; words keep an idle timeout away. */
  print: (text: string) => void;
};

/**
 * An agent as a function: what it returns or prints is what the agent said. A rejection is a failed turn.
 *
 * @example
 * ```ts
 * import { writeFileSync } from "node:fs";
 * import { type AgentFunction, runLoop } from "ralph";
 *
 * const agent: AgentFunction = () => {
 *   writeFileSync("hello.txt", "hello\n");
 *   return "<promise>DONE</promise>";
 * };
 * console.log((await runLoop({ prompt: "Write hello.txt.", agent, checks: ["test -f hello.txt"] }).outcome).name);
 * ```
 */
export type AgentFunction = (turn: AgentTurn) => Promise<string | void> | string | void;

/** Processes where the command above calls the function, in this very process. */
export function withAgentFunction(processes: Processes, agent: AgentFunction): Processes {
  const start = (order: ProcessOrder): Promise<ProcessStart> =>
    order.argv[0] === functionCommand ? startFunction(processes, agent, order) : processes.start(order);
  return { ...processes, start };
}

/** Why a call ends before the function does. */
type Stop = "cut" | "wall" | "idle" | "silence";

async function startFunction(processes: Processes, agent: AgentFunction, order: ProcessOrder): Promise<ProcessStart> {
  const identity = await processes.self();
  const began = performance.now();
  const watch = openWatch(order);
  const called = callAgent(agent, order, watch);
  const stopped = watch.stopped.then(async (): Promise<number | null> => {
    const graceMs = new Promise<null>((resolve) => setTimeout(() => resolve(null), order.killGraceMs).unref());
    return Promise.race([called, graceMs]);
  });
  const ended = Promise.race([called, stopped]).then((exitCode): ProcessEnd => {
    watch.close();
    const stop = watch.stop();
    return {
      exitCode: stop === null || stop === "silence" ? (exitCode ?? 0) : null,
      signal: stop === null || stop === "silence" ? null : "SIGTERM",
      timedOut: stop === "wall" || stop === "idle" ? stop : null,
      isCut: stop === "cut",
      isForced: exitCode === null,
      leftoverCount: 0,
      survivors: [],
      durationMs: Math.round(performance.now() - began),
    };
  });
  return { isStarted: true, process: { identity, ended, cut: watch.cut, endAfterSilence: watch.endAfterSilence } };
}

/** The exit code a program would have had. */
async function callAgent(agent: AgentFunction, order: ProcessOrder, watch: Watch): Promise<number> {
  const print = (text: string): void => {
    watch.heard();
    void order.onStdout(Buffer.from(text));
  };
  try {
    const prompt = String(order.stdin ?? "");
    const said = await agent({ prompt, projectDir: order.cwd, signal: watch.signal, print });
    if (typeof said === "string") print(said);
    return 0;
  } catch (error) {
    void order.onStderr(Buffer.from(`${thrownText(error)}\n`));
    return 1;
  }
}

type Watch = ReturnType<typeof openWatch>;

/** The limits of a call: each ends it once. */
function openWatch({ idleMs, wallMs }: Pick<ProcessOrder, "idleMs" | "wallMs">) {
  const controller = new AbortController();
  const stopped = new Promise<void>((resolve) =>
    controller.signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  const state = { stop: null as Stop | null, quietMs: idleMs, quietStop: "idle" as Stop, isOver: false };
  const stopAs = (stop: Stop): void => {
    state.stop ??= stop;
    controller.abort();
  };
  const timerOf = (ms: number | null, stop: Stop) => (ms === null ? undefined : setTimeout(() => stopAs(stop), ms));
  const wall = timerOf(wallMs, "wall");
  let quiet = timerOf(idleMs, "idle");
  const heard = (): void => {
    clearTimeout(quiet);
    // Whoever speaks after the end of its turn is not waited for.
    if (state.isOver) return;
    quiet = timerOf(state.quietMs, state.quietStop);
  };
  return {
    signal: controller.signal,
    stopped,
    stop: () => state.stop,
    heard,
    cut: () => stopAs("cut"),
    endAfterSilence: (ms: number) => {
      state.quietMs = ms;
      state.quietStop = "silence";
      heard();
    },
    close: () => {
      state.isOver = true;
      clearTimeout(wall);
      clearTimeout(quiet);
    },
  };
}
