import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { anthropicMessages } from "./anthropic-messages.ts";
import { chatCompletions } from "./chat-completions.ts";
import { geminiContent } from "./gemini-content.ts";
import {
  type AnswerContext,
  type ModelDialect,
  type ModelRequest,
  type ServerSentEvent,
  tokensPerAnswer,
  type Turn,
} from "./model-dialect.ts";
import { openaiResponses } from "./openai-responses.ts";

/** One question to the model, with what the agent sent along. `turn` is null for a side request, which takes none. */
export type AskedQuestion = ModelRequest & { dialect: string; turn: number | null; headers: IncomingHttpHeaders };

/** A scripted model on loopback. */
export type ModelServer = {
  url: string;
  /** Every question so far, in order. */
  asked: AskedQuestion[];
  /** Requests nobody scripted, as `METHOD /path`; they got 404. */
  unknownRequests: string[];
  close(): Promise<void>;
};

/**
 * Starts a model that answers from `script`, one turn a question. A question after the last turn is refused with 400,
 * which agents give up on within a second, so a loop that asks too often fails soon and shows in `asked`.
 */
export async function startModelServer(script: readonly Turn[]): Promise<ModelServer> {
  const asked: AskedQuestion[] = [];
  const unknownRequests: string[] = [];
  const answerOne = createResponder(script, { asked, unknownRequests });
  const server = createServer((request, response) => {
    answerOne(request, response).catch((error: unknown) => {
      unknownRequests.push(`${request.method} ${request.url}: ${String(error)}`);
      sendJson(response, { status: 400, body: { error: { message: String(error) } } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the model server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    unknownRequests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const dialects: readonly ModelDialect[] = [anthropicMessages, openaiResponses, chatCompletions, geminiContent];

/** Above any prompt the agents send in a test; a larger body is a fault of the test. */
const bodyBytesMax = 16 * 1024 ** 2;

const sideAnswer: Turn = { kind: "answer", text: "A title" };
const scriptOver: Turn = { kind: "refusal", status: 400, message: "the script of the model server is over" };

type Records = Pick<ModelServer, "asked" | "unknownRequests">;

function createResponder(script: readonly Turn[], records: Records) {
  let turnsTaken = 0;
  let idsGiven = 0;
  const nextId = (prefix: string) => `${prefix}_scripted_${++idsGiven}`;
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    const body = await readBody(request);
    if (path.endsWith(":countTokens")) {
      sendJson(response, { status: 200, body: { totalTokens: tokensPerAnswer.input } });
      return;
    }
    const dialect = dialects.find((one) => one.pathEnd.test(path));
    if (dialect === undefined || request.method !== "POST") {
      records.unknownRequests.push(`${request.method} ${path}`);
      sendJson(response, { status: 404, body: { error: { message: `no ${request.method} ${path} here` } } });
      return;
    }
    const question = dialect.read(JSON.parse(body), path);
    const turn = question.hasTools ? turnsTaken++ : null;
    records.asked.push({ ...question, dialect: dialect.name, turn, headers: request.headers });
    const scripted = turn === null ? sideAnswer : (script[turn] ?? scriptOver);
    answer({ response, dialect, scripted, question, context: { model: question.model, nextId } });
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error(`the request is larger than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

type Exchange = {
  response: ServerResponse;
  dialect: ModelDialect;
  scripted: Turn;
  question: ModelRequest;
  context: AnswerContext;
};

function answer({ response, dialect, scripted, question, context }: Exchange): void {
  if (scripted.kind === "refusal") {
    const { status, headers } = scripted;
    sendJson(response, { status, body: dialect.refusal(scripted), headers: headers ?? {} });
    return;
  }
  if (!question.isStreaming) {
    sendJson(response, { status: 200, body: dialect.whole(scripted, context) });
    return;
  }
  const events = dialect.stream(scripted, context);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) response.write(asText(event));
  response.end();
}

function asText({ event, data }: ServerSentEvent): string {
  return event === null ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`;
}

type JsonReply = { status: number; body: Record<string, unknown>; headers?: Readonly<Record<string, string>> };

function sendJson(response: ServerResponse, { status, body, headers }: JsonReply): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
