import type { Spend } from "./spend.ts";

/**
 * Why a turn went wrong, as the agent's structured fields and exit codes tell it; never guessed from prose.
 *
 * @example
 * ```ts
 * import { type Failure } from "ralph";
 *
 * const isWorthWaiting = ({ kind, resetAt }: Failure): boolean => kind === "limit" && resetAt !== null;
 * console.log(isWorthWaiting({ kind: "limit", message: "Usage limit reached.", resetAt: Date.now() + 60_000 }));
 * ```
 */
export type Failure = {
  /** `authentication` and `model` cannot be cured by trying again; `limit` can, after `resetAt`. */
  kind: "authentication" | "model" | "limit" | "other";
  message: string;
  /** When a usage limit ends, in ms since the epoch; null when the agent did not say. */
  resetAt: number | null;
};

/**
 * One item of an agent's own todo list.
 *
 * @example
 * ```ts
 * import { type TodoItem } from "ralph";
 *
 * const todos: TodoItem[] = [{ text: "Write the test", status: "done" }, { text: "Make it green", status: "active" }];
 * console.log(todos.filter(({ status }) => status === "done").length);
 * ```
 */
export type TodoItem = { text: string; status: "pending" | "active" | "done" };

/**
 * What any agent's stream says, in one vocabulary. Adapters translate into this; nothing of one agent leaks further in.
 * `isSub` marks words and tools of a sub-agent: they are shown, but they never claim.
 *
 * @example
 * ```ts
 * import { type AgentEvent, createStreamReader } from "ralph";
 *
 * const words = (events: AgentEvent[]): string => events.map((event) => (event.type === "text" ? event.text : "")).join("");
 * console.log(words(createStreamReader("command").push("Hello.\n")));
 * ```
 */
export type AgentEvent =
  | { type: "session"; sessionId: string; model: string | null }
  /** Visible assistant text. Texts with equal `messageId` are joined by nothing, others by a newline. */
  | { type: "text"; text: string; messageId: string; isSub: boolean }
  | { type: "thinking"; text: string; isSub: boolean }
  /** `canChange`: the tool may change files (an edit or a shell command). `isTodo`: a `todo` event says what it does. */
  | {
      type: "tool-started";
      toolId: string;
      name: string;
      summary: string;
      canChange: boolean;
      isSub: boolean;
      isTodo?: true;
    }
  | { type: "tool-ended"; toolId: string; name: string | null; output: string; isError: boolean; isDenied: boolean }
  | { type: "todo"; items: TodoItem[] }
  /** The spend of this turn so far (a running total, not a difference). */
  | { type: "usage"; spend: Spend }
  | { type: "retry"; attempt: number; attemptsMax: number | null; delayMs: number | null; reason: string }
  /** A warning of the agent program itself. */
  | { type: "notice"; text: string }
  /** The agent's own closing word; the last one counts. `text` claims only when no assistant text was seen. */
  | { type: "result"; isSuccess: boolean; text: string | null; failure: Failure | null; spend: Spend | null };
