import { describe, expect, it } from "vitest";
import { countSent, isStillIdle, isToBeJudged, sendBackOrLetGo } from "./native-news.ts";
import type { SessionMessage } from "../session-message.ts";

const says = (content: string): SessionMessage => ({ role: "assistant", content });
const asks = (content: string): SessionMessage => ({ role: "user", content });
const talk = [asks("Fix it"), says("Done.")];

describe("a stop of a session without a loop", () => {
  it.each<[string, Partial<Parameters<typeof isToBeJudged>[0]>, boolean]>([
    ["is judged when the agent has spoken", {}, true],
    ["is not judged twice (R-30)", { judgedCount: 2 }, false],
    ["is not judged while a person's word is the last one", { messages: [...talk, asks("And?")] }, false],
    ["is left to the loop that has the session", { hasLoop: true }, false],
  ])("%s", (_, change, expected) =>
    expect(isToBeJudged({ messages: talk, judgedCount: null, hasLoop: false, ...change })).toBe(expected),
  );

  it("says nothing into the turn of a person who spoke or broke off meanwhile (R-31, R-36)", () => {
    expect(isStillIdle(talk, { messages: talk, isBrokenOff: false })).toBe(true);
    expect(isStillIdle(talk, { messages: [...talk, asks("Stop")], isBrokenOff: false })).toBe(false);
    expect(isStillIdle(talk, { messages: talk, isBrokenOff: true })).toBe(false);
  });

  it("counts how often the agent was sent back since a person spoke, and lets it go in the end (CW-4R)", () => {
    const back = [asks("Not verified: x"), says("Now?")];
    expect(countSent([...talk, ...back, ...back], "Not verified")).toBe(2);
    expect(countSent([...talk, ...back, ...talk], "Not verified")).toBe(0);
    expect(sendBackOrLetGo("red", 19)).toEqual({ prompt: "red" });
    expect(sendBackOrLetGo("red", 20)).toEqual({ notice: "NOT verified, 20 times in a row. red" });
  });
});
