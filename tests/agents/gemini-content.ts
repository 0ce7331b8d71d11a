import { z } from "zod";
import { type Answer, type AnswerContext, inPieces, type ModelDialect, tokensPerAnswer } from "./model-dialect.ts";

/** The Gemini API. The model and the wish to stream stand in the path. */
export const geminiContent: ModelDialect = {
  name: "gemini-content",
  pathEnd: /\/models\/(?<model>[^/:]+):(?<method>streamGenerateContent|generateContent)$/,
  read(body, path) {
    const request = requestSchema.parse(body);
    const { model = "", method } = geminiContent.pathEnd.exec(path)?.groups ?? {};
    const parts = request.contents.filter(({ role }) => role === "user").flatMap((content) => content.parts);
    return {
      model,
      isStreaming: method === "streamGenerateContent",
      hasTools: request.tools.length > 0,
      userTexts: parts.flatMap((part) => (part.text === undefined ? [] : [part.text])),
      toolResults: parts.flatMap((part) => (part.functionResponse === undefined ? [] : [JSON.stringify(part)])),
    };
  },
  stream(answer, context) {
    const parts = partsOf(answer, inPieces(answer.text ?? ""));
    return parts.map((part, index) => {
      const isLast = index === parts.length - 1;
      return { event: null, data: JSON.stringify(responseOf([part], context, isLast ? "STOP" : null)) };
    });
  },
  whole(answer, context) {
    return responseOf(partsOf(answer, answer.text === undefined ? [] : [answer.text]), context, "STOP");
  },
  refusal({ status, message }) {
    return { error: { code: status, message, status: statusNames[status] ?? "INTERNAL" } };
  },
};

const requestSchema = z.looseObject({
  tools: z.array(z.unknown()).default([]),
  contents: z.array(
    z.looseObject({
      role: z.string().default("user"),
      parts: z.array(z.looseObject({ text: z.string().optional(), functionResponse: z.unknown().optional() })),
    }),
  ),
});

const statusNames: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
};

type Part = { text: string } | { functionCall: { name: string; args: Record<string, unknown> } };

function partsOf(answer: Answer, texts: readonly string[]): Part[] {
  const calls = (answer.calls ?? []).map((call) => {
    if (typeof call.input === "string") throw new Error(`${call.name}: this dialect has no free-form calls`);
    return { functionCall: { name: call.name, args: call.input } };
  });
  return [...texts.map((text) => ({ text })), ...calls];
}

function responseOf(parts: readonly Part[], { model }: AnswerContext, finishReason: string | null) {
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason === null ? {} : { finishReason }) }],
    modelVersion: model,
    usageMetadata: {
      promptTokenCount: tokensPerAnswer.input,
      candidatesTokenCount: tokensPerAnswer.output,
      totalTokenCount: tokensPerAnswer.input + tokensPerAnswer.output,
    },
  };
}
