import { describe, expect, it } from "vitest";
import { createMailbox } from "./mailbox.ts";

describe("a mailbox", () => {
  it("gives items in the order they were posted", async () => {
    const mailbox = createMailbox<number>();
    [1, 2, 3].forEach((item) => mailbox.post(item));
    expect([await mailbox.next(), await mailbox.next(), await mailbox.next()]).toEqual([1, 2, 3]);
  });

  it("hands an item to a reader who waits, and keeps what comes with it", async () => {
    const mailbox = createMailbox<string>();
    const first = mailbox.next();
    mailbox.post("a");
    mailbox.post("b");
    expect(await first).toBe("a");
    expect(await mailbox.next()).toBe("b");
  });
});
