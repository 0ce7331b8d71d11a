import { z } from "zod";
import { type Answer, type AnswerContext, inPieces, type ModelDialect, tokensPerAnswer } from "./model-dialect.ts";

/** The Anthropic Messages API. */
export const anthropicMessages: ModelDialect = {
  name: "anthropic-messages",
  pathEnd: /\/messages$/,
  read(body) {
    const request = requestSchema.parse(body);
    // What hooks add comes as messages of the system between those of the user.
    const told = request.messages.filter((message) => message.role !== "assistant");
    const blocks = told.flatMap((message) => message.content);
    return {
      model: request.model,
      isStreaming: request.stream,
      hasTools: request.tools.length > 0,
      userTexts: blocks.flatMap((block) => (block.type === "text" ? [block.text ?? ""] : [])),
      toolResults: blocks.flatMap((block) => (block.type === "tool_result" ? [JSON.stringify(block.content)] : [])),
    };
  },
  stream(answer, context) {
    const message = messageOf(answer, context);
    const opening = { ...message, content: [], stop_reason: null };
    const closing = { stop_reason: message.stop_reason, stop_sequence: null };
    const events = [
      { type: "message_start", message: opening },
      ...message.content.flatMap((block, index) => blockEvents(block, index)),
      { type: "message_delta", delta: closing, usage: message.usage },
      { type: "message_stop" },
    ];
    return events.map((event) => ({ event: event.type, data: JSON.stringify(event) }));
  },
  whole: messageOf,
  refusal(refusal) {
    return { type: "error", error: { type: errorTypes[refusal.status] ?? "api_error", message: refusal.message } };
  },
};

const blockSchema = z.looseObject({ type: z.string(), text: z.string().optional(), content: z.unknown().optional() });

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  tools: z.array(z.unknown()).default([]),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.string().transform((text) => [{ type: "text", text }]), z.array(blockSchema)]),
    }),
  ),
});

const errorTypes: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

type Block =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

function messageOf(answer: Answer, context: AnswerContext) {
  const calls = answer.calls ?? [];
  const content: Block[] = answer.text === undefined ? [] : [{ type: "text", text: answer.text }];
  for (const call of calls) {
    if (typeof call.input === "string") throw new Error(`${call.name}: this dialect has no free-form calls`);
    content.push({ type: "tool_use", id: context.nextId("toolu"), name: call.name, input: call.input });
  }
  return {
    id: context.nextId("msg"),
    type: "message",
    role: "assistant",
    model: context.model,
    content,
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: tokensPerAnswer.input,
      output_tokens: tokensPerAnswer.output,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
}

function blockEvents(block: Block, index: number) {
  const empty = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  const deltas =
    block.type === "text"
      ? inPieces(block.text).map((text) => ({ type: "text_delta", text }))
      : inPieces(JSON.stringify(block.input)).map((partial) => ({ type: "input_json_delta", partial_json: partial }));
  return [
    { type: "content_block_start", index, content_block: empty },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}
