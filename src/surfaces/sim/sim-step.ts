import type { Failure, TodoItem } from "../../core/agents/agent-event.ts";
import type { Spend } from "../../core/agents/spend.ts";

/** How an edit changes its file: a new content, or one place of the old one. */
export type EditChange = { kind: "content"; content: string } | { kind: "replace"; find: string; replace: string };

/** How a scripted failure says when a limit ends: a moment, or a time from the moment it is told. */
export type ResetTime = { kind: "at"; ms: number } | { kind: "in"; ms: number };

/** Where a flood goes: text of the format, raw lines on standard error, or one raw line that does not end. */
export type FloodTarget = "stdout" | "stderr" | "one-line";

/** One step of a turn, ready to be performed. Claims, mentions and the like are already the words they say. */
export type SimStep =
  | { step: "say"; text: string; chunks: number }
  | { step: "think"; text: string }
  | { step: "echo" }
  | { step: "edit"; file: string; change: EditChange }
  | { step: "run"; command: string; timeoutMs: number }
  | { step: "deny"; file: string }
  | { step: "todo"; items: TodoItem[] }
  | { step: "subagent"; text: string }
  | { step: "garbage"; text: string }
  | { step: "unknown" }
  | { step: "usage"; spend: Spend }
  | { step: "wait"; ms: number }
  | { step: "hang" }
  | { step: "linger"; ms: number | null }
  | { step: "flood"; bytes: number; to: FloodTarget }
  | { step: "child"; seconds: number; isOwnSession: boolean; ignoresTerm: boolean; holdsOutput: boolean }
  | { step: "ignore-sigterm" }
  | { step: "close-stdout" }
  | { step: "result"; text: string | null }
  | { step: "fail"; kind: Failure["kind"]; message: string; reset: ResetTime | null }
  | { step: "exit"; code: number }
  | { step: "crash"; code: number; signal: NodeJS.Signals | null };

/** A turn: its steps, what it costs, and the words in a prompt that choose it. */
export type SimTurn = { when: string | null; spend: Spend; steps: SimStep[] };

/** A whole script. `answer` is said to a text call that no `when` matches. */
export type SimScript = { after: "repeat" | "stop" | "claim"; answer: string; turns: SimTurn[] };
