import { describe, expect, it } from "vitest";
import { createMessage, messageFields } from "./message.ts";

const named = { id: "MSG-1", at: Date.UTC(2026, 0, 2) };

describe("a message", () => {
  it("is its own issue when it is an ISSUE that names none", () => {
    const draft = { type: "ISSUE", projectId: "shop", body: "" };
    expect(createMessage(draft, named).issueId).toBe("MSG-1");
    expect(createMessage({ ...draft, issueId: "MSG-0" }, named).issueId).toBe("MSG-0");
    expect(createMessage({ ...draft, type: "INFO" }, named).issueId).toBeNull();
  });

  it("is shown with the names of its header, without what it does not have", () => {
    const parents = [{ messageId: "MSG-0", kind: null, meta: {} }];
    const message = createMessage({ type: "FACT", projectId: "shop", body: "b", parents, meta: { a: "" } }, named);
    expect(messageFields(message)).toEqual({
      msg_id: "MSG-1",
      ts: "2026-01-02T00:00:00.000Z",
      type: "FACT",
      project_id: "shop",
      parents: [{ msg_id: "MSG-0" }],
      meta: { a: "" },
      body: "b",
    });
  });
});
