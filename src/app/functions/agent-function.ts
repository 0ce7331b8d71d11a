import { thrownText } from "../../core/text/thrown-text.ts";
import type { ProcessOrder, Processes } from "../../shell/ports.ts";
import { type CallEnd, type CallWatch, withFunction } from "./function-process.ts";

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

/** Processes where the command of functions calls this one, in this very process. */
export function withAgentFunction(processes: Processes, agent: AgentFunction): Processes {
  return withFunction(processes, (order, watch) => callAgent(agent, order, watch));
}

/** A program in JavaScript can return anything. */
function typeOf(value: unknown): string {
  return value === null ? "null" : `a value of type ${typeof value}`;
}

async function callAgent(agent: AgentFunction, order: ProcessOrder, watch: CallWatch): Promise<CallEnd> {
  const print = (text: string): void => {
    watch.heard();
    void order.onStdout(Buffer.from(text));
  };
  try {
    const prompt = String(order.stdin ?? "");
    const said = await agent({ prompt, projectDir: order.cwd, signal: watch.signal, print });
    if (typeof said === "string") print(said);
    else if (said !== undefined) throw new TypeError(`the agent returned ${typeOf(said)}, expected a text or nothing`);
    return { exitCode: 0 };
  } catch (error) {
    void order.onStderr(Buffer.from(`${thrownText(error)}\n`));
    return { exitCode: 1 };
  }
}
