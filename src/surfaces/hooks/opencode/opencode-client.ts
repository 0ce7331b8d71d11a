/** What the host's client answers: its errors are returned, not thrown. */
export type ClientAnswer = { data?: unknown; error?: unknown };

/** The part of the host's client that the plugin uses. Every call is a request to the host's own server. */
export type OpencodeClient = {
  session: {
    messages(order: { path: { id: string } }): Promise<ClientAnswer>;
    get(order: { path: { id: string } }): Promise<ClientAnswer>;
    promptAsync(order: { path: { id: string }; body: PromptBody }): Promise<ClientAnswer>;
  };
  tui: { showToast(order: { body: ToastBody }): Promise<unknown> };
  app: { log(order: { body: LogBody }): Promise<unknown> };
};

/** A prompt; without agent and model the host takes its defaults, not those of the session. */
export type PromptBody = {
  parts: { type: "text"; text: string }[];
  agent?: string;
  model?: { providerID: string; modelID: string };
};

type ToastBody = {
  title: string;
  message: string;
  variant: "info" | "success" | "warning" | "error";
  duration?: number;
};

type LogBody = {
  service: string;
  level: "debug" | "info" | "warn" | "error";
  message: string;
  extra?: Record<string, unknown>;
};

/** The data of an answer. Throws what the client returned as an error. */
export function dataOf(answer: ClientAnswer): unknown {
  if (answer.error !== undefined && answer.error !== null) throw new Error(wordsOf(answer.error));
  return answer.data;
}

/** The fields of anything; none of what has none. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** A text, or null for anything else and for an empty one. */
export function textIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function wordsOf(error: unknown): string {
  const { message, data, name } = fieldsOf(error);
  const found = textIn(message) ?? textIn(fieldsOf(data)["message"]) ?? textIn(name) ?? textIn(error);
  return found ?? "the host answered with an error";
}
