/** A tool the scripted model calls. A string as input makes a free-form call, where the dialect has those. */
export type ToolCall = { name: string; input: Record<string, unknown> | string };

/** What the scripted model says in one turn. */
export type Answer = { kind: "answer"; text?: string; calls?: readonly ToolCall[] };

/** An HTTP error in place of an answer. */
export type Refusal = { kind: "refusal"; status: number; message: string; headers?: Readonly<Record<string, string>> };

/** One turn of a script. */
export type Turn = Answer | Refusal;

/** One server-sent event; chat completions name none of theirs. */
export type ServerSentEvent = { event: string | null; data: string };

/** What an answer needs besides its content: the model asked for, and ids that no other answer has. */
export type AnswerContext = { model: string; nextId(prefix: string): string };

/** What the server reads of a request, whatever the dialect. */
export type ModelRequest = {
  model: string;
  isStreaming: boolean;
  /** Requests without tools are side work, such as a title for the session. */
  hasTools: boolean;
  /** The texts of user messages, in order. */
  userTexts: string[];
  /** What the agent's tools gave back, in order. */
  toolResults: string[];
};

/** One way of talking to a model over HTTP. */
export type ModelDialect = {
  name: string;
  /** How the path of its requests ends. */
  pathEnd: RegExp;
  /** Throws when the body is not of this dialect. */
  read(body: unknown, path: string): ModelRequest;
  stream(answer: Answer, context: AnswerContext): ServerSentEvent[];
  whole(answer: Answer, context: AnswerContext): Record<string, unknown>;
  refusal(refusal: Refusal): Record<string, unknown>;
};

/** Tokens every answer reports, so that a test knows what a run must have counted. */
export const tokensPerAnswer = { input: 1000, output: 50 };

/** Cuts text into short pieces, so that a completion tag always arrives split over several events. */
export function inPieces(text: string): string[] {
  return text.match(/.{1,6}/gsu) ?? [];
}
