import { z } from "zod";
import { type Answer, type AnswerContext, inPieces, type ModelDialect, tokensPerAnswer } from "./model-dialect.ts";
import { openaiError } from "./openai-error.ts";

/** The OpenAI Responses API. */
export const openaiResponses: ModelDialect = {
  name: "openai-responses",
  pathEnd: /\/responses$/,
  read(body) {
    const request = requestSchema.parse(body);
    const messages = request.input.filter((item) => item.type === "message" && item.role === "user");
    return {
      model: request.model,
      isStreaming: request.stream,
      // The newest models get their tools inside the input.
      hasTools: request.tools.length > 0 || request.input.some((item) => item.type === "additional_tools"),
      userTexts: messages.flatMap((item) => partsSchema.parse(item.content).map((part) => part.text ?? "")),
      toolResults: request.input.flatMap((item) =>
        item.type.endsWith("_call_output") ? [JSON.stringify(item.output)] : [],
      ),
    };
  },
  stream(answer, context) {
    const response = responseOf(answer, context);
    const opening = { ...response, status: "in_progress", output: [], usage: null };
    const events = [
      { type: "response.created", response: opening },
      ...response.output.flatMap((item, index) => itemEvents(item, index)),
      { type: "response.completed", response },
    ];
    return events.map((event, index) => ({
      event: event.type,
      data: JSON.stringify({ ...event, sequence_number: index }),
    }));
  },
  whole: responseOf,
  refusal: openaiError,
};

const partsSchema = z.array(z.looseObject({ text: z.string().optional() }));

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  tools: z.array(z.unknown()).default([]),
  input: z.array(
    z.looseObject({
      type: z.string().default("message"),
      role: z.string().optional(),
      content: z.unknown().optional(),
      output: z.unknown().optional(),
    }),
  ),
});

type Item = { id: string; status: "completed" } & (
  | { type: "message"; role: "assistant"; content: { type: "output_text"; text: string; annotations: [] }[] }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "custom_tool_call"; call_id: string; name: string; input: string }
);

function responseOf(answer: Answer, context: AnswerContext) {
  return {
    id: context.nextId("resp"),
    object: "response",
    status: "completed",
    model: context.model,
    output: itemsOf(answer, context),
    error: null,
    usage: {
      input_tokens: tokensPerAnswer.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: tokensPerAnswer.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: tokensPerAnswer.input + tokensPerAnswer.output,
    },
  };
}

function itemsOf(answer: Answer, context: AnswerContext): Item[] {
  const status = "completed";
  const items: Item[] = [];
  if (answer.text !== undefined) {
    const content = [{ type: "output_text" as const, text: answer.text, annotations: [] as [] }];
    items.push({ type: "message", id: context.nextId("msg"), status, role: "assistant", content });
  }
  for (const call of answer.calls ?? []) {
    const base = { id: context.nextId("item"), status, call_id: context.nextId("call"), name: call.name } as const;
    if (typeof call.input === "string") items.push({ type: "custom_tool_call", ...base, input: call.input });
    else items.push({ type: "function_call", ...base, arguments: JSON.stringify(call.input) });
  }
  return items;
}

function itemEvents(item: Item, outputIndex: number) {
  const place = { output_index: outputIndex, item_id: item.id };
  return [
    { type: "response.output_item.added", output_index: outputIndex, item: emptied(item) },
    ...deltasOf(item).map(({ type, delta }) => ({ type, ...place, content_index: 0, delta })),
    { type: "response.output_item.done", output_index: outputIndex, item },
  ];
}

function emptied(item: Item): Item {
  if (item.type === "message") return { ...item, content: [] };
  if (item.type === "function_call") return { ...item, arguments: "" };
  return { ...item, input: "" };
}

function deltasOf(item: Item): { type: string; delta: string }[] {
  if (item.type === "message") {
    const text = item.content.map((part) => part.text).join("");
    return inPieces(text).map((delta) => ({ type: "response.output_text.delta", delta }));
  }
  if (item.type === "function_call")
    return inPieces(item.arguments).map((delta) => ({ type: "response.function_call_arguments.delta", delta }));
  return inPieces(item.input).map((delta) => ({ type: "response.custom_tool_call_input.delta", delta }));
}
