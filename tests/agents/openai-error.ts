import type { Refusal } from "./model-dialect.ts";

/** The body of an error as both OpenAI dialects send it. */
export function openaiError(refusal: Refusal): Record<string, unknown> {
  const code = errorCodes[refusal.status] ?? null;
  return { error: { message: refusal.message, type: code ?? "server_error", param: null, code } };
}

const errorCodes: Record<number, string> = {
  400: "invalid_request_error",
  401: "invalid_api_key",
  404: "model_not_found",
  429: "rate_limit_exceeded",
};
