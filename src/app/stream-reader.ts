import type { AgentEvent } from "../core/agents/agent-event.ts";
import { emptyReport, type TurnReport } from "../core/agents/turn-report.ts";
import { RalphError } from "../core/ralph-error.ts";
import { parseSettings } from "../core/settings/parse-settings.ts";
import { createTurnReader } from "../shell/streams/turn-reader.ts";
import { allAgents } from "../shell/wire-agents.ts";
import { anyText, listOf, oneOf, type OptionRules, readOptions, requireOption, text } from "./read-options.ts";

/**
 * What the stream is, and what counts as a claim in it.
 *
 * @example
 * ```ts
 * import { createStreamReader, type StreamReaderOptions } from "ralph";
 *
 * const options: StreamReaderOptions = { promise: "SHIPPED", placement: "own-line" };
 * console.log(createStreamReader("command", options).agent);
 * ```
 */
export type StreamReaderOptions = {
  /** The text of a claim: `<promise>TEXT</promise>`. The default of the setting `completionResponse`. */
  promise?: string;
  /** Where a claim may stand; in a sentence of its own. */
  placement?: "own-sentence" | "own-line" | "anywhere";
  /** The flags the agent was started with: some change the form of its output. */
  flags?: readonly string[];
  /** What the agent was asked: an exact echo of it in plain text is not the agent's word. */
  prompt?: string;
};

/**
 * How the process of the agent ended, as far as the caller knows it.
 *
 * @example
 * ```ts
 * import { createStreamReader, type StreamEnd } from "ralph";
 *
 * const end: StreamEnd = { exitCode: 1, errorOutput: "out of memory" };
 * console.log(createStreamReader("command").end(end).report.errorOutput);
 * ```
 */
export type StreamEnd = Partial<Pick<TurnReport, "exitCode" | "signal" | "errorOutput">>;

/**
 * Reads the output of one turn. Never throws because of what the bytes are.
 *
 * @example
 * ```ts
 * import { type AgentStreamReader, createStreamReader } from "ralph";
 *
 * const readers = new Map<string, AgentStreamReader>([["turn-1", createStreamReader("command")]]);
 * console.log(readers.get("turn-1")?.push("Hello.\n").length);
 * ```
 */
export type AgentStreamReader = {
  /** The name of the adapter that reads. */
  agent: string;
  /** The events that this piece of output completes; it may be cut anywhere. Throws code `usage` after the end. */
  push(chunk: Uint8Array | string): AgentEvent[];
  /** Call it once, when no more output can come: the last events, and the report on the turn. */
  end(process?: StreamEnd): { events: AgentEvent[]; report: TurnReport };
};

/**
 * The agents whose output can be read.
 *
 * @example
 * ```ts
 * import { streamAgents } from "ralph";
 *
 * console.log(streamAgents().join(", "));
 * ```
 */
export function streamAgents(): string[] {
  const { known, fallback } = adapters();
  return [...known, fallback].map(({ name }) => name);
}

/**
 * Reads what an agent program prints, in its own format, into events and a report that are the same for all agents.
 *
 * @example
 * ```ts
 * import { spawn } from "node:child_process";
 * import { createStreamReader } from "ralph";
 *
 * const reader = createStreamReader("command", { promise: "DONE" });
 * const agent = spawn("echo", ["<promise>DONE</promise>"]);
 * for await (const chunk of agent.stdout) for (const event of reader.push(chunk)) console.log(event.type);
 * console.log(reader.end({ exitCode: agent.exitCode }).report.claims.isPromised); // true
 * ```
 */
export function createStreamReader(agent: string, options: StreamReaderOptions = {}): AgentStreamReader {
  const caller = "createStreamReader";
  requireOption(caller, "agent", { value: agent, rule: oneOf(streamAgents()) });
  const given = readOptions(caller, options, rules);
  const { known, fallback } = adapters();
  const adapter = known.find(({ name }) => name === agent) ?? fallback;
  const { completionResponse, completion } = parseSettings([]);
  const read: AgentEvent[] = [];
  const reader = createTurnReader({
    adapter,
    flags: given.flags ?? [],
    prompt: given.prompt ?? "",
    expected: given.promise ?? completionResponse,
    placement: given.placement ?? completion.placement,
    signals: completion.signals,
    onEvent: (event) => void read.push(event),
  });
  const encoder = new TextEncoder();
  let isEnded = false;
  const requireOpen = (): void => {
    if (isEnded) throw new RalphError("usage", "The stream reader has ended.", "Create a new one for each turn.");
  };
  return {
    agent: adapter.name,
    push(chunk) {
      requireOpen();
      reader.push(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      return read.splice(0);
    },
    end(process = {}) {
      requireOpen();
      isEnded = true;
      const facts = reader.end();
      return { events: read.splice(0), report: { ...emptyReport, ...facts, ...process } };
    },
  };
}

const rules: OptionRules<StreamReaderOptions> = {
  promise: text,
  placement: oneOf(["own-sentence", "own-line", "anywhere"]),
  flags: listOf(anyText),
  prompt: anyText,
};

/** Nothing is started here, so no adapter needs to know how this program is. */
function adapters(): ReturnType<typeof allAgents> {
  return allAgents([]);
}
