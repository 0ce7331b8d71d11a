import { z } from "zod";
import { type Answer, type AnswerContext, inPieces, type ModelDialect, tokensPerAnswer } from "./model-dialect.ts";
import { openaiError } from "./openai-error.ts";

/** The OpenAI chat completions API, which most other model servers speak too. */
export const chatCompletions: ModelDialect = {
  name: "chat-completions",
  pathEnd: /\/chat\/completions$/,
  read(body) {
    const request = requestSchema.parse(body);
    const textsOf = (role: string) =>
      request.messages.filter((message) => message.role === role).flatMap((message) => message.content);
    return {
      model: request.model,
      isStreaming: request.stream,
      hasTools: request.tools.length > 0,
      userTexts: textsOf("user"),
      toolResults: textsOf("tool"),
    };
  },
  stream(answer, context) {
    const base = { id: context.nextId("chatcmpl"), object: "chat.completion.chunk", model: context.model };
    const chunk = (delta: Record<string, unknown>, finishReason: string | null = null) => ({
      ...base,
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    });
    const calls = callsOf(answer, context);
    const chunks = [
      chunk({ role: "assistant", content: "" }),
      ...inPieces(answer.text ?? "").map((content) => chunk({ content })),
      ...(calls.length > 0 ? [chunk({ tool_calls: calls })] : []),
      chunk({}, finishReasonOf(answer)),
      { ...base, choices: [], usage },
    ];
    return [...chunks.map((data) => JSON.stringify(data)), "[DONE]"].map((data) => ({ event: null, data }));
  },
  whole(answer, context) {
    const calls = callsOf(answer, context);
    const message = { role: "assistant", content: answer.text ?? null, ...(calls.length > 0 && { tool_calls: calls }) };
    return {
      id: context.nextId("chatcmpl"),
      object: "chat.completion",
      model: context.model,
      choices: [{ index: 0, message, finish_reason: finishReasonOf(answer) }],
      usage,
    };
  },
  refusal: openaiError,
};

const partSchema = z.looseObject({ text: z.string().default("") }).transform((part) => part.text);

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  tools: z.array(z.unknown()).default([]),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z
        .union([z.string().transform((text) => [text]), z.array(partSchema)])
        .nullish()
        .transform((texts) => texts ?? []),
    }),
  ),
});

const usage = {
  prompt_tokens: tokensPerAnswer.input,
  completion_tokens: tokensPerAnswer.output,
  total_tokens: tokensPerAnswer.input + tokensPerAnswer.output,
};

function callsOf(answer: Answer, context: AnswerContext) {
  return (answer.calls ?? []).map((call, index) => {
    if (typeof call.input === "string") throw new Error(`${call.name}: this dialect has no free-form calls`);
    const called = { name: call.name, arguments: JSON.stringify(call.input) };
    return { index, id: context.nextId("call"), type: "function", function: called };
  });
}

function finishReasonOf(answer: Answer): string {
  return (answer.calls ?? []).length > 0 ? "tool_calls" : "stop";
}
