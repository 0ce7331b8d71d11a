import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMessageBus, type MessageBusOptions } from "./message-bus.ts";

/** A folder that is gone after the test. */
function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-bus-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

describe("createMessageBus", () => {
  it("posts to a bus that its first message makes, and reads what was posted", async () => {
    const bus = createMessageBus({ path: join(scratch(), "MESSAGE-BUS.md"), projectId: "shop" });
    expect(await bus.read()).toEqual([]);
    const first = await bus.post({ body: "It begins." });
    const second = await bus.post({ type: "FACT", body: "a\n---\nb", runId: "r1", meta: { cost: "3" } });
    const answer = await bus.post({
      type: "FACT",
      body: "",
      parents: [{ messageId: first.id }],
      links: [{ url: "https://x" }],
    });
    expect(first).toMatchObject({ type: "INFO", projectId: "shop", taskId: null, body: "It begins." });
    expect(answer.parents).toEqual([{ messageId: first.id, kind: null, meta: {} }]);
    expect(await bus.read()).toEqual([first, second, answer]);
    expect(await bus.read({ since: first.id })).toEqual([second, answer]);
    expect(await bus.read({ since: first.id, tail: 1 })).toEqual([answer]);
    expect(await bus.read({ tail: 2 })).toEqual([second, answer]);
    expect(await bus.read({ type: "INFO" })).toEqual([first]);
  });

  it("takes the ids of its messages from its path", async () => {
    const folder = join(scratch(), "shop", "task-001");
    mkdirSync(folder, { recursive: true });
    const bus = createMessageBus({ path: join(folder, "TASK-MESSAGE-BUS.md") });
    expect(await bus.post({ body: "x" })).toMatchObject({ projectId: "shop", taskId: "task-001" });
    expect(await bus.post({ body: "x", taskId: "other" })).toMatchObject({ projectId: "shop", taskId: "other" });
    expect(bus.discover()).toEqual({
      path: join(folder, "TASK-MESSAGE-BUS.md"),
      kind: "task",
      projectId: "shop",
      taskId: "task-001",
    });
  });

  it("finds the nearest bus upwards from a directory", async () => {
    const root = scratch();
    const inner = join(root, "a", "b");
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(root, "PROJECT-MESSAGE-BUS.md"), "");
    expect(createMessageBus({ projectDir: inner }).discover()).toMatchObject({
      path: join(root, "PROJECT-MESSAGE-BUS.md"),
      kind: "project",
    });
  });

  it("follows messages as they come, until the signal ends it", async () => {
    const bus = createMessageBus({ path: join(scratch(), "bus.md"), projectId: "p", pollIntervalMs: 10 });
    const stop = new AbortController();
    const bodies: string[] = [];
    const followed = (async (): Promise<void> => {
      for await (const { body } of bus.follow({ signal: stop.signal, tail: 1 })) {
        bodies.push(body);
        if (body === "three") stop.abort();
      }
    })();
    for (const body of ["one", "two", "three"]) await bus.post({ body });
    await followed;
    expect(bodies.slice(-1)).toEqual(["three"]);
    const [, second, third] = await bus.read();
    const again: string[] = [];
    for await (const { id } of bus.follow({ since: (await bus.read())[0]?.id ?? "" })) {
      again.push(id);
      if (again.length === 2) break;
    }
    expect(again).toEqual([second?.id, third?.id]);
  });

  it("names an unknown message, a link and a folder that is not there by a RalphError", async () => {
    const folder = scratch();
    const bus = createMessageBus({ path: join(folder, "bus.md"), projectId: "p" });
    await bus.post({ body: "x" });
    await expect(bus.read({ since: "MSG-none" })).rejects.toMatchObject({
      name: "RalphError",
      code: "unknown-message",
    });
    await expect(bus.follow({ since: "MSG-none" })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "unknown-message",
    });
    symlinkSync(join(folder, "bus.md"), join(folder, "link.md"));
    const linked = createMessageBus({ path: join(folder, "link.md"), projectId: "p" });
    await expect(linked.post({ body: "x" })).rejects.toMatchObject({ name: "RalphError", code: "bus" });
    const lost = createMessageBus({ path: join(folder, "no", "bus.md"), projectId: "p" });
    await expect(lost.post({ body: "x" })).rejects.toMatchObject({ name: "RalphError", code: "bus" });
    expect(() => createMessageBus({ projectDir: folder })).toThrow(`There is no message bus in ${folder} or above it.`);
  });

  it("refuses options by name", async () => {
    // A program in JavaScript can give anything.
    const open = (options: unknown) => () => createMessageBus(options as MessageBusOptions);
    expect(open({})).toThrow("neither of the options path and projectDir is given, expected one of them.");
    expect(open({ path: "a", projectDir: "." })).toThrow("options path and projectDir are both given");
    expect(open({ path: 3 })).toThrow("createMessageBus: option path is 3, expected the path of a file");
    const folder = scratch();
    expect(open({ path: folder })).toThrow(`createMessageBus: option path is "${folder}", expected the path of a file`);
    expect(open({ paht: "x" })).toThrow("createMessageBus: there is no option paht; did you mean path?");
    const bus = createMessageBus({ path: join(scratch(), "bus.md") });
    const post = (message: unknown) => bus.post(message as Parameters<typeof bus.post>[0]);
    await expect(post({ body: "x" })).rejects.toThrow("post: option projectId is missing");
    await expect(post({ body: 3 })).rejects.toThrow("post: option body is 3, expected a text.");
    await expect(post({ body: "", parents: [{ id: "x" }] })).rejects.toThrow(
      "post: option parents[0] is an object, expected an object with the text messageId.",
    );
    await expect(post({ body: "", meta: { a: 1 } })).rejects.toThrow("expected an object whose values are texts.");
    await expect(bus.read({ tail: -1 })).rejects.toThrow(
      "read: option tail is -1, expected a whole number of at least 0.",
    );
    expect(() => bus.follow({ tail: 0.5 })).toThrow("follow: option tail is 0.5");
  });
});
