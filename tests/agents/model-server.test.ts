import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tokensPerAnswer, type Turn } from "./model-dialect.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";

const text = "All is well.\n<promise>DONE</promise>";
const call = { name: "write", input: { path: "a.txt", content: "42\n" } };
const script: Turn[] = [
  { kind: "answer", text, calls: [call] },
  { kind: "refusal", status: 429, message: "slow down", headers: { "retry-after": "7" } },
];

const dialects = [
  {
    name: "anthropic-messages",
    path: () => "/v1/messages?beta=true",
    question: (tools: unknown[]) => ({ model: "m", tools, messages: [{ role: "user", content: "Do it." }] }),
    textIn: /"text_delta","text":"((?:[^"\\]|\\.)*)"/g,
    inputOf: (body: string) => piecesIn(body, /"partial_json":"((?:[^"\\]|\\.)*)"/g).join(""),
    error: { type: "rate_limit_error" },
  },
  {
    name: "openai-responses",
    path: () => "/v1/responses",
    question: (tools: unknown[]) => ({
      model: "m",
      tools,
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Do it." }] }],
    }),
    textIn: /"response.output_text.delta".*"delta":"((?:[^"\\]|\\.)*)"/g,
    inputOf: (body: string) =>
      piecesIn(body, /"response.function_call_arguments.delta".*"delta":"((?:[^"\\]|\\.)*)"/g).join(""),
    error: { type: "rate_limit_exceeded" },
  },
  {
    name: "chat-completions",
    path: () => "/v1/chat/completions",
    question: (tools: unknown[]) => ({ model: "m", tools, messages: [{ role: "user", content: "Do it." }] }),
    textIn: /"delta":\{"content":"((?:[^"\\]|\\.)*)"/g,
    inputOf: (body: string) => piecesIn(body, /"arguments":"((?:[^"\\]|\\.)*)"/g).join(""),
    error: { type: "rate_limit_exceeded" },
  },
  {
    name: "gemini-content",
    path: (isStreaming: boolean) =>
      isStreaming ? "/v1beta/models/m:streamGenerateContent?alt=sse" : "/v1beta/models/m:generateContent",
    question: (tools: unknown[]) => ({ tools, contents: [{ role: "user", parts: [{ text: "Do it." }] }] }),
    textIn: /"parts":\[\{"text":"((?:[^"\\]|\\.)*)"/g,
    inputOf: (body: string) => /"args":(\{[^}]*\})/.exec(body)?.[1] ?? "",
    error: { status: "RESOURCE_EXHAUSTED" },
  },
];

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer(script);
});
afterEach(() => server.close());

describe.each(dialects)("the scripted model in $name", ({ name, path, question, textIn, inputOf, error }) => {
  const ask = (tools: unknown[], isStreaming: boolean) =>
    fetch(`${server.url}${path(isStreaming)}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer sk-fake" },
      body: JSON.stringify({ ...question(tools), stream: isStreaming }),
    });

  it("streams text and tool calls in pieces that join to what was scripted", async () => {
    const reply = await ask([{}], true);
    const body = await reply.text();
    expect(reply.headers.get("content-type")).toBe("text/event-stream");
    expect(piecesIn(body, textIn).join("")).toBe(text);
    expect(JSON.parse(inputOf(body))).toEqual(call.input);
    expect(piecesIn(body, textIn).filter((piece) => piece.includes("<promise>"))).toEqual([]);
  });

  it("answers in one piece when it is not asked to stream", async () => {
    const body = JSON.stringify(await (await ask([{}], false)).json());
    expect(body).toContain(JSON.stringify(text));
    expect(body).toContain(call.name);
  });

  it("refuses with the scripted status, headers and the dialect's own error", async () => {
    await (await ask([{}], false)).text();
    const reply = await ask([{}], true);
    expect(reply.status).toBe(429);
    expect(reply.headers.get("retry-after")).toBe("7");
    expect(await reply.json()).toMatchObject({ error: { ...error, message: "slow down" } });
  });

  it("spends no turn on a request without tools and remembers every question", async () => {
    await (await ask([], true)).text();
    await (await ask([{}], true)).text();
    expect(server.asked).toMatchObject([
      { dialect: name, turn: null, hasTools: false, userTexts: ["Do it."] },
      { dialect: name, turn: 0, hasTools: true, userTexts: ["Do it."], headers: { authorization: "Bearer sk-fake" } },
    ]);
  });

  it("refuses with 400 once the script is over", async () => {
    for (const _ of script) await (await ask([{}], true)).text();
    expect((await ask([{}], true)).status).toBe(400);
  });
});

it("counts tokens for gemini without spending a turn", async () => {
  const reply = await fetch(`${server.url}/v1beta/models/m:countTokens`, { method: "POST", body: "{}" });
  expect(await reply.json()).toEqual({ totalTokens: tokensPerAnswer.input });
  expect(server.asked).toEqual([]);
});

it("answers 404 to what no dialect knows, 400 to what no dialect can read, and remembers both", async () => {
  const unknown = await fetch(`${server.url}/v1/models`);
  const unreadable = await fetch(`${server.url}/v1/messages`, { method: "POST", body: "{}" });
  expect([unknown.status, unreadable.status]).toEqual([404, 400]);
  expect(server.unknownRequests).toHaveLength(2);
  expect(server.asked).toEqual([]);
});

/** The JSON strings that `pattern` captures. */
function piecesIn(body: string, pattern: RegExp): string[] {
  return [...body.matchAll(pattern)].map((match) => String(JSON.parse(`"${match[1]}"`)));
}
