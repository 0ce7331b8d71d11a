import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertySeed } from "../../../tests/property-seed.ts";
import type { AgentEvent } from "../../core/agents/agent-event.ts";
import { redactEvents } from "./redact-events.ts";

const secrets = [{ name: "KEY", value: "sk-secret-value-123" }];
const key = "sk-secret-value-123";
const says = (text: string, messageId = "m1"): AgentEvent => ({ type: "text", text, messageId, isSub: false });

function pass(events: readonly AgentEvent[], known = secrets): AgentEvent[] {
  const told: AgentEvent[] = [];
  const { add, end } = redactEvents(known, (event) => void told.push(event));
  events.forEach(add);
  end();
  return told;
}

/** The words of each message, joined as claims are read. */
function words(events: readonly AgentEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.text : "")).join("");
}

describe("a secret in what a stream says is hidden once its text is decoded and joined", () => {
  it.each([1, 3, 4, 10, key.length - 1])("also when it is cut after %i characters", (at) => {
    const tool: AgentEvent = { type: "thinking", text: "hm", isSub: false };
    const shown = words(pass([says(`a ${key.slice(0, at)}`), tool, says(`${key.slice(at)} b`)]));
    expect(shown).toBe(`a ${at <= 3 ? key.slice(0, at) : ""}[redacted KEY] b`);
  });

  it("in every text of every event", () => {
    const failure = { kind: "other" as const, message: `bad ${key}`, resetAt: null };
    const result: AgentEvent = { type: "result", isSuccess: false, failure, text: `the key ${key}`, spend: null };
    expect(JSON.stringify(pass([result]))).not.toContain(key);
  });

  it("and nothing else is: what only begins like one is told before the next message and at the end", () => {
    const events = pass([says("see sk-secret"), says("Another.", "m2"), says(" sk-sec", "m2")]);
    expect(words(events)).toBe("see sk-secretAnother. sk-sec");
    expect(events.map((event) => (event.type === "text" ? event.messageId : ""))).toEqual([
      "m1",
      "m1",
      "m2",
      "m2",
      "m2",
    ]);
  });

  it("whatever pieces a message comes in; pieces without it pass as they are", () => {
    const piece = fc.constantFrom("sk-", "sk-secret", key, key.slice(9), "s", "k", "-", "x", "secret-value-123", " ");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const whole = pieces.join("");
        const told = words(pass(pieces.map((text) => says(text))));
        expect(told).not.toContain(key);
        expect(whole.includes(key) || told === whole).toBe(true);
      }),
      { seed: propertySeed },
    );
  });

  it("without secrets every event is the very same", () => {
    const event = says(key);
    expect(pass([event], [])[0]).toBe(event);
  });
});
