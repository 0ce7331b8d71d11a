import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FakeOpencode, openOpencode, recorded, session } from "./fake-opencode.ts";

const hosts: FakeOpencode[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.close()));

async function opened(options?: Parameters<typeof openOpencode>[0]): Promise<FakeOpencode> {
  const host = await openOpencode(options);
  hosts.push(host);
  return host;
}

type Call = { tool?: string; args: Record<string, unknown>; sessionId?: string };

/** Calls a tool as the host does; the answer is what the agent reads. */
async function call(host: FakeOpencode, { tool = "bash", args, sessionId = session }: Call): Promise<string> {
  const input = { ...(recorded("hook.tool.execute.before")["input"] as object), tool, sessionID: sessionId };
  try {
    await host.hooks["tool.execute.before"]?.(input, { args });
  } catch (error) {
    return `refused: ${String(error)}`;
  }
  const output = { title: "", output: "done", metadata: {} };
  await host.hooks["tool.execute.after"]?.({ ...input, args }, output);
  return output.output;
}

const dangerous = { args: { command: "rm -rf /" } };
const harmless = { args: { command: "echo hello" } };

describe("the guard in a host's process", () => {
  it("refuses a dangerous command in a session with a loop, and in no other session (S4-89)", async () => {
    const host = await opened();
    expect(await call(host, dangerous)).toBe("done");
    await host.command("ralph", '"Fix it"');
    expect(await call(host, dangerous)).toMatch(/^refused: .*command guard/);
    expect(await call(host, harmless)).toBe("done");
    expect(await call(host, { ...dangerous, sessionId: "ses_other" })).toBe("done");
    await host.command("cancel-ralph", "");
    expect(await call(host, dangerous)).toBe("done");
  });

  it("looks at the calls of a loop's sub-agents too (S4-89)", async () => {
    const host = await opened();
    await host.command("ralph", '"Fix it"');
    await host.send("session.created-child", "ses_child", {
      sessionID: "ses_child",
      info: { id: "ses_child", parentID: session },
    });
    expect(await call(host, { ...dangerous, sessionId: "ses_child" })).toMatch(/^refused/);
  });

  it("is on everywhere when it was installed so (S4-89)", async () => {
    const host = await opened({ guard: "always" });
    expect(await call(host, dangerous)).toMatch(/^refused/);
  });

  it("is on inside a run of ralph, and where one says that it works without a sandbox (S4-89, R-120)", async () => {
    const host = await opened();
    writeFileSync(join(host.directory, ".ralph-active"), JSON.stringify({ mode: "direct" }));
    expect(await call(host, dangerous)).toMatch(/^refused/);
    vi.stubEnv("RALPH_RUN_ID", "run-1");
    const inRun = await opened();
    expect(await call(inRun, dangerous)).toMatch(/^refused/);
  });

  it.each<[string, Call]>([
    ["writes ralph's settings", { tool: "write", args: { filePath: ".ralph/settings.json", content: "{}" } }],
    ["edits the settings of agents", { tool: "edit", args: { filePath: ".opencode/plugins/ralph.js" } }],
    ["patches them", { tool: "apply_patch", args: { patchText: "*** Begin Patch\n*** Delete File: .ralph-active\n" } }],
    ["has no input that can be judged", { tool: "bash", args: {} }],
  ])("refuses a call that %s (S4-89)", async (_, given) => {
    const host = await opened({ guard: "always" });
    expect(await call(host, given)).toMatch(/^refused/);
  });

  it("follows links to where a file really lies (R-123)", async () => {
    const host = await opened({ guard: "always" });
    mkdirSync(join(host.directory, ".ralph"));
    writeFileSync(join(host.directory, ".ralph/settings.json"), "{}");
    symlinkSync(join(host.directory, ".ralph/settings.json"), join(host.directory, "notes.json"));
    expect(await call(host, { tool: "write", args: { filePath: "notes.json", content: "" } })).toMatch(/^refused/);
    expect(await call(host, { tool: "write", args: { filePath: "other.json", content: "" } })).toBe("done");
  });

  it("warns below the tool's answer, once (S4-89)", async () => {
    const host = await opened({ guard: "always" });
    expect(await call(host, { args: { command: "git clean -fd" } })).toMatch(/^done\n\nWarning of the command guard: /);
    expect(await call(host, harmless)).toBe("done");
  });
});

describe("the context monitor", () => {
  it("tells the agent of a run on a task list once when half of the model's window is used (S4-33, S4-34, S4-38)", async () => {
    vi.stubEnv("RALPH_RUN_ID", "run-1");
    const host = await opened({});
    writeFileSync(join(host.directory, ".ralph-active"), JSON.stringify({ mode: "direct" }));
    vi.stubEnv("TMPDIR", host.directory);
    await host.hooks["chat.params"]?.({ sessionID: session, model: { limit: { context: 2000 } } });
    await host.send("message.updated-assistant-finished");
    expect(await call(host, harmless)).toMatch(/^done\n\nAbout 51% of the context window is used\. NOTICE: /);
    expect(await call(host, harmless)).toBe("done");
  });

  it("is silent in a run without a task list, of which its words speak (S4-38)", async () => {
    vi.stubEnv("RALPH_RUN_ID", "run-1");
    const host = await opened({});
    vi.stubEnv("TMPDIR", host.directory);
    await host.hooks["chat.params"]?.({ sessionID: session, model: { limit: { context: 1000 } } });
    await host.send("message.updated-assistant-finished");
    expect(await call(host, harmless)).toBe("done");
  });

  it("is silent in a person's own session (S4-38)", async () => {
    const host = await opened();
    await host.hooks["chat.params"]?.({ sessionID: session, model: { limit: { context: 1000 } } });
    await host.send("message.updated-assistant-finished");
    expect(await call(host, harmless)).toBe("done");
  });
});
