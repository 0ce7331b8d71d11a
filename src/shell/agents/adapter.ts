import type { AgentEvent, Failure } from "../../core/agents/agent-event.ts";
import type { PriceTable } from "../../core/agents/model-price.ts";
import type { Spend } from "../../core/agents/spend.ts";

/** What a turn, a judge or a message call wants of an agent program. */
export type InvocationRequest = {
  /** As configured; its basename chose the adapter. */
  command: string;
  /** Argv items of the settings, already split. */
  flags: readonly string[];
  model: string | null;
  prompt: string;
  /** `stream`: events as they come. `text`: only the last message, for judges and messages. */
  mode: "stream" | "text";
  /** A turn of the run, not a question beside it. */
  isTurn?: boolean;
  /** The session to continue, or null for a fresh context. */
  sessionId: string | null;
  /** Overrides the adapter's own way. */
  promptVia: "stdin" | "argument" | null;
  /** The file for an agent that writes its answer to a file; deleted before and read after the call. */
  answerFile: string;
  /** The file for an agent that writes its spend to a file; absent when nobody reads it. */
  usageFile?: string;
};

export type Invocation = {
  argv: string[];
  stdin: string | null;
  /** The answer is in `answerFile` instead of standard output. */
  usesAnswerFile: boolean;
  /** The command line forbids edits, so a turn cannot change anything. */
  isReadOnly: boolean;
};

/** Reads one turn's lines. Holds what must be remembered between lines; a fresh one for each turn. */
export type StreamReader = {
  /** `line` is a parsed JSON value; anything unexpected yields "unknown", never an exception. */
  read(line: unknown): AgentEvent[] | "unknown";
  /** What went wrong last and was not overcome since, for a stream that ends without a result event. */
  failure(): Failure | null;
};

/** What an agent may do in a run, where nobody is there to answer its questions. */
export type PermissionMode = {
  /** One word, such as `edits`. */
  name: string;
  /** For `agent.flags`. */
  flags: readonly string[];
  /** What the agent may do then, as the rest of a sentence: `may edit files …`. */
  meaning: string;
};

/** Which hooks an agent gets: of any run the guard, on a task list also the context monitor and the stop checks. */
export type HookedRun = "run" | "list";

/** What a program must be told to load our plugin. */
export type PluginEnvOptions = { flags: readonly string[]; env: Readonly<Record<string, string | undefined>> };

/**
 * What we know of one agent program. Data first: everything here can be shown by `ralph doctor`.
 *
 * @example
 * ```ts
 * import { type AgentAdapter, type CommonOptions } from "ralph";
 *
 * const adapter: AgentAdapter = {
 *   name: "my-agent",
 *   commands: ["my-agent"],
 *   reportsCost: false,
 *   spendCovers: "process",
 *   readUsage: null,
 *   keyVariables: ["MY_AGENT_KEY"],
 *   hostMarkers: [],
 *   signIn: null,
 *   editFlags: null,
 *   env: {},
 *   invocation: ({ command, flags, prompt }) => ({
 *     argv: [command, ...flags],
 *     stdin: prompt,
 *     usesAnswerFile: false,
 *     isReadOnly: false,
 *   }),
 *   createReader: () => null, // plain text
 * };
 * const options: CommonOptions = { agents: [adapter], agent: "my-agent" };
 * console.log(options.agents?.length);
 * ```
 */
export type AgentAdapter = {
  name: string;
  /** Basenames of commands this adapter speaks for. */
  commands: readonly string[];
  /** Whether the stream tells US dollars. */
  reportsCost: boolean;
  /** Public prices of the models of its provider, for every agent that is billed by token. */
  prices?: PriceTable;
  /** Its work is billed by the tokens it tells, so a price per token gives an estimate of its cost. */
  isBilledByToken?: true;
  /** What the told spend adds up: this process, or the whole session that it continues. */
  spendCovers: "process" | "session";
  /** Reads the `usageFile`; an invalid file yields null. Null: the stream reports the spend. */
  readUsage: ((text: string) => Spend | null) | null;
  /** Variables with this provider's key; other providers' keys are removed when several are set. Empty: all are kept. */
  keyVariables: readonly string[];
  /** Keys that this agent signs in with and other agents' tools need too: hidden in every output, never removed. */
  sharedKeyVariables?: readonly string[];
  /** Variables this agent sets for its own tools, removed from every agent's environment. A trailing `*` means any rest. */
  hostMarkers: readonly string[];
  /** Without either of these the program waits for a login; `file` lies in the home folder. Null: it says so and ends. */
  signIn: { variable: string; file: string } | null;
  /** What to add to `agent.flags` so that edits are allowed. */
  editFlags: string | null;
  /** What to add instead where `tools`, which run commands, were denied, or `editFlags` are there already. */
  commandFlags?: { tools: readonly string[]; flags: string };
  /** What `ralph init` offers, the proposed one first. Absent: nothing is known of its permissions. */
  permissionModes?: readonly PermissionMode[];
  /**
   * Added where nobody is there to be asked for a permission, a person has agreed to that or a guard watches, and `flags`
   * do not decide otherwise. Absent: the agent needs none.
   */
  unattendedFlags?(flags: readonly string[]): string[];
  /**
   * Added for a judge of sealed work: it obeys settings, hooks and servers of the user, none of the project. Absent: the program has no
   * such flags.
   */
  sealedFlags?(flags: readonly string[]): string[];
  /**
   * Makes its sessions call ralph's hooks, which `hook` starts: those of this kind of run. Null: `flags` leave no room
   * for that. Absent: the program has no hooks that we know.
   */
  hookFlags?(hook: readonly string[], flags: readonly string[], kind: HookedRun): string[] | null;
  /**
   * The same by variables, for a program that loads a plugin. `env` is what ralph was started with. Null: flags or
   * variables leave no room for it.
   */
  pluginEnv?(options: PluginEnvOptions): Record<string, string> | null;
  /** Set for the agent's process, on top of the cleaned environment. */
  env: Readonly<Record<string, string>>;
  /** Words before a first prompt when the program is started on a terminal, for people. Absent: it takes none there. */
  terminalWords?: readonly string[];
  invocation(request: InvocationRequest): Invocation;
  /** Null: with these flags the stream is plain text. */
  createReader(flags: readonly string[]): StreamReader | null;
};
