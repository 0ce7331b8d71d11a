import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Turn } from "./model-dialect.ts";
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
    path: "/v1/messages?beta=true",
    question: (tools: unknown[]) => ({ model: "m", tools, messages: [{ role: "user", content: "Do it." }] }),
    textIn: /"text_delta","text":"((?:[^"\\]|\\.)*)"/g,
    inputIn: /"partial_json":"((?:[^"\\]|\\.)*)"/g,
    errorType: "rate_limit_error",
  },
  {
    name: "openai-responses",
    path: "/v1/responses",
    question: (tools: unknown[]) => ({
      model: "m",
      tools,
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Do it." }] }],
    }),
    textIn: /"response.output_text.delta".*"delta":"((?:[^"\\]|\\.)*)"/g,
    inputIn: /"response.function_call_arguments.delta".*"delta":"((?:[^"\\]|\\.)*)"/g,
    errorType: "rate_limit_exceeded",
  },
  {
    name: "chat-completions",
    path: "/v1/chat/completions",
    question: (tools: unknown[]) => ({ model: "m", tools, messages: [{ role: "user", content: "Do it." }] }),
    textIn: /"delta":\{"content":"((?:[^"\\]|\\.)*)"/g,
    inputIn: /"arguments":"((?:[^"\\]|\\.)*)"/g,
    errorType: "rate_limit_exceeded",
  },
];

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer(script);
});
afterEach(() => server.close());

describe.each(dialects)("the scripted model in $name", ({ name, path, question, textIn, inputIn, errorType }) => {
  const ask = (tools: unknown[], isStreaming: boolean) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer sk-fake" },
      body: JSON.stringify({ ...question(tools), stream: isStreaming }),
    });

  it("streams text and tool calls in pieces that join to what was scripted", async () => {
    const reply = await ask([{}], true);
    const body = await reply.text();
    expect(reply.headers.get("content-type")).toBe("text/event-stream");
    expect(piecesIn(body, textIn).join("")).toBe(text);
    expect(JSON.parse(piecesIn(body, inputIn).join(""))).toEqual(call.input);
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
    expect(await reply.json()).toMatchObject({ error: { type: errorType, message: "slow down" } });
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
