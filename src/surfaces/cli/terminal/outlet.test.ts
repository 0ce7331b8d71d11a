import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createOutlet, type StandardStream, writerOf } from "./outlet.ts";

describe("an outlet", () => {
  it("puts what comes while it writes into the next write (S1-42)", async () => {
    const writes: string[] = [];
    let waiting = "a";
    const next = (): string => {
      const text = waiting;
      waiting = "";
      return text;
    };
    const outlet = createOutlet((text) => {
      writes.push(text);
      if (text === "ab") waiting = "cd";
      return Promise.resolve(true);
    }, next);
    outlet.wake();
    waiting += "b";
    outlet.wake();
    await outlet.settled();
    expect(writes).toEqual(["ab", "cd"]);
  });

  it("writes no more once the reader is gone, and frees what waits (S1-42)", async () => {
    let taken = 0;
    let written = 0;
    const outlet = createOutlet(
      () => Promise.resolve((written += 1) > 1),
      () => (taken++ % 2 === 0 ? "text" : ""),
    );
    for (let count = 0; count < 3; count++) {
      outlet.wake();
      await outlet.settled();
    }
    expect({ taken, written }).toEqual({ taken: 6, written: 1 });
  });
});

describe("the writer of a pipe", () => {
  const pipe = (stream: PassThrough) =>
    writerOf(Object.assign(stream, { fd: 1, isTTY: false }) as unknown as StandardStream);

  it("waits until the reader has taken the text (S1-42)", async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const write = pipe(stream);
    const first = write("one");
    stream.on("data", () => {});
    expect(await first).toBe(true);
  });

  it("says that the reader is gone instead of failing (S1-42)", async () => {
    const stream = new PassThrough();
    stream.on("error", () => {});
    stream.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    expect(await pipe(stream)("text")).toBe(false);
  });
});
