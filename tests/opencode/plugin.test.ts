import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bundle, type FakeOpencode, openOpencode, recorded, session } from "./fake-opencode.ts";

const hosts: FakeOpencode[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.close()));

async function opened(): Promise<FakeOpencode> {
  const host = await openOpencode();
  hosts.push(host);
  return host;
}

/** A host in whose session a loop was started and the agent has answered once. */
async function begun(line = '"Fix it" --max-iterations=5'): Promise<FakeOpencode> {
  const host = await opened();
  await host.send("session.created");
  await host.command("ralph", line);
  await host.send("session.status-busy");
  host.says("I tried.");
  return host;
}

const done = "All good.\n\n<promise>DONE</promise>";
const headings = (host: FakeOpencode): string[] =>
  host.prompts.map(({ body }) => JSON.stringify(body["parts"]).match(/ITERATION \d+\/\d+/)?.[0] ?? "");
const titles = (host: FakeOpencode): string[] => host.toasts.map(({ title }) => title);

describe("the bundled plugin", () => {
  it("is one file that needs Node's modules only and exports one plugin (S0-44)", async () => {
    const text = readFileSync(bundle, "utf8");
    const imported = [...text.matchAll(/^(?:import|\} from)[^"']*["']([^"']+)["']/gm)].map((found) => found[1] ?? "");
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((name) => !name.startsWith("node:") || name === "node:sqlite")).toEqual([]);
    expect(text).not.toContain("ZodError");
    const module: object = await import(/* @vite-ignore */ pathToFileURL(bundle).href);
    expect(Object.keys(module)).toEqual(["RalphPlugin"]);
  });

  it("offers its commands and leaves a person's own command of the same name alone (S0-40, S0-42)", async () => {
    const host = await opened();
    const config = { command: { ralph: { template: "mine" }, other: { template: "too" } }, theme: "dark" };
    await host.hooks.config?.(config);
    expect(Object.keys(config.command).toSorted()).toEqual([
      "cancel-ralph",
      "other",
      "ralph",
      "ralph-status",
      "ralph-tasks",
    ]);
    expect([config.command.ralph, config.theme]).toEqual([{ template: "mine" }, "dark"]);
  });
});

describe("a plugin that cannot work", () => {
  it("says why and leaves the host alone (R-124)", async () => {
    const host = await opened();
    vi.stubEnv("RALPH_STATE_HOME", "not/absolute");
    expect(await host.load()).toEqual({});
    await host.pass(0);
    expect(host.toasts.at(-1)).toMatchObject({
      variant: "error",
      message: expect.stringContaining("RALPH_STATE_HOME"),
    });
  });
});

describe("/ralph", () => {
  it("starts a loop and gives the agent the task and how to claim (S0-40, S0-41, S0-44)", async () => {
    const host = await opened();
    const text = await host.command(
      "ralph",
      '"Fix all TypeScript errors in src/" --max-iterations=25 --completion-promise=ALL_FIXED',
    );
    expect(text).toMatch(/^Fix all TypeScript errors in src\/\n\n.*<promise>ALL_FIXED<\/promise>/);
    expect(host.toasts).toEqual([
      expect.objectContaining({
        title: "Ralph Loop Started",
        message: "Max 25 iterations. Complete with <promise>ALL_FIXED</promise>",
      }),
      expect.objectContaining({ message: expect.stringContaining("No check is configured") }),
    ]);
  });

  it.each([
    ["no task", "", "No task was given."],
    ["a bad number", '"x" --max-iterations=0', '--max-iterations is "0", expected a whole number of at least 1.'],
  ])("with %s starts nothing and has the agent say why (S0-40, R-53)", async (_, line, reason) => {
    const host = await opened();
    expect(await host.command("ralph", line)).toContain(reason);
    expect(titles(host)).toEqual(["Ralph Loop Not Started"]);
    host.says("It was not started.");
    await host.idle();
    await host.pass(10_000);
    expect(host.prompts).toEqual([]);
  });

  it("where the project's criteria cannot be read starts nothing and has the agent say why (S4-95)", async () => {
    const host = await opened();
    mkdirSync(join(host.directory, "ralph"));
    writeFileSync(join(host.directory, "ralph", "criteria.yaml"), "outcome: [");
    expect(await host.command("ralph", '"Fix it"')).toContain("ralph/criteria.yaml is not YAML");
    expect(await host.command("ralph-status", "")).toContain("No Ralph loop is running");
  });

  it("under a host that ends with its first answer is refused aloud, without an answer of the model", async () => {
    const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const { argv } = process;
    process.argv = ["bun", "/index.js", "run", "--command", "ralph"];
    try {
      const host = await opened();
      await expect(host.command("ralph", '"Fix it"')).rejects.toThrow("no loop can live in it");
      expect(printed.mock.calls.join()).toContain("ralph run");
      expect(titles(host)).toEqual(["Ralph Loop Not Started"]);
    } finally {
      process.argv = argv;
      printed.mockRestore();
    }
  });
});

describe("a loop in a session", () => {
  it("is sent back without a claim, to the same agent and model, and ends with one (S0-34, S0-37, S0-45, S0-46)", async () => {
    const host = await begun();
    await host.idle();
    await host.pass(499);
    expect(host.prompts).toEqual([]);
    await host.pass(1);
    expect(host.prompts).toMatchObject([
      { id: session, body: { agent: "build", model: { providerID: "fake", modelID: "fake-model" } } },
    ]);
    host.says(done);
    await host.idle();
    await host.pass(10_000);
    expect(headings(host)).toEqual(["ITERATION 2/5"]);
    expect(host.toasts.at(-1)).toMatchObject({
      title: "Ralph Loop Complete!",
      message: "Task completed after 2 iteration(s), unverified: met by the claim alone",
    });
  });

  it.each<[string, Parameters<FakeOpencode["says"]>]>([
    ["that the host made up", ["", { parts: [{ type: "text", text: done, synthetic: true }] }]],
    ["in the agent's thoughts", ["", { parts: [{ type: "reasoning", text: done }] }]],
    ["in what a sub-agent answered", ["", { parts: [{ type: "tool", tool: "task", state: { output: done } }] }]],
    ["in an answer that broke off", [done, { info: { error: { name: "APIError" } } }]],
    ["in a summary of the conversation", [done, { info: { summary: true, mode: "compaction" } }]],
  ])("is not completed by a promise %s (S0-34, R-01)", async (_, words) => {
    const host = await begun();
    host.says(...words);
    await host.idle();
    await host.pass(500);
    expect(headings(host)).toEqual(["ITERATION 2/5"]);
  });

  it("ends at its last iteration (S0-36)", async () => {
    const host = await begun('"Fix it" --max-iterations=1');
    await host.idle();
    await host.pass(10_000);
    expect([host.prompts, titles(host).at(-1)]).toEqual([[], "Ralph Loop Stopped"]);
  });

  it("goes on after an error, once, although the host is idle twice (S0-30, S0-31, CW-0E, R-34)", async () => {
    const host = await begun();
    await host.send("session.error-APIError");
    await host.idle();
    await host.idle();
    await host.pass(4000);
    expect(host.prompts).toEqual([]);
    await host.pass(6000);
    expect(headings(host)).toEqual(["ITERATION 2/5"]);
  });

  it("is over when a person aborts, whatever comes after (S0-29, R-36)", async () => {
    const host = await begun();
    await host.send("session.error-MessageAbortedError");
    await host.idle();
    await host.idle();
    await host.pass(60_000);
    expect(host.prompts).toEqual([]);
    expect(host.log).toContain("[ralph-loop] User aborted, loop cleared");
    expect(await host.command("ralph-status", "")).toContain("No Ralph loop is running");
  });

  it("is over when its session is deleted, also during the delay (S0-28, R-31)", async () => {
    const host = await begun();
    await host.idle();
    await host.send("session.deleted");
    await host.pass(60_000);
    expect(host.prompts).toEqual([]);
    expect(host.log).toContain("[ralph-loop] Session deleted, loop cleared");
  });

  it("is cancelled by its command, also during the delay, and a second time there is none (S0-42, R-31)", async () => {
    const host = await begun();
    await host.idle();
    expect(await host.command("cancel-ralph", "")).toContain("was cancelled at iteration 1 of 5");
    await host.pass(60_000);
    expect(host.prompts).toEqual([]);
    expect(await host.command("cancel-ralph", "")).toContain("No Ralph loop is running");
    expect(titles(host).slice(-2)).toEqual(["Ralph Loop Cancelled", "No Active Loop"]);
  });

  it("tells how far it is and what its task is (S0-43)", async () => {
    const host = await begun();
    expect(await host.command("ralph-status", "")).toMatch(/iteration 1 of 5.*Its task: Fix it/s);
  });

  it("is stopped loudly when the host refuses its prompt, and nothing is counted (S0-39, CW-0G, R-33)", async () => {
    const host = await begun();
    host.answer.promptAsync = async () => ({ error: { name: "BadRequest", data: { message: "no such session" } } });
    await host.idle();
    await host.pass(60_000);
    expect(host.toasts.at(-1)).toMatchObject({
      title: "Ralph Loop Stopped",
      message: "Failed to inject continuation: no such session",
    });
    expect(titles(host)).not.toContain("Ralph Loop");
  });

  it.each<[string, () => Promise<unknown>]>([
    ["never answers", () => new Promise(() => {})],
    ["throws", () => Promise.reject(new Error("no screen"))],
  ])("waits for no toast: one that %s stops nothing (S0-37, R-37)", async (_, showToast) => {
    const host = await opened();
    host.answer.showToast = showToast;
    await host.command("ralph", '"Fix it"');
    host.says("I tried.");
    await host.idle();
    await host.pass(500);
    expect(headings(host)).toEqual(["ITERATION 2/100"]);
  });

  it("goes on after the host was restarted (S0-45)", async () => {
    const host = await begun();
    await host.hooks.dispose?.();
    const again = await host.load();
    void again.event?.({ event: recorded("event.session.idle") as { type: string } });
    await host.pass(10_000);
    expect(headings(host)).toEqual(["ITERATION 2/5"]);
  });

  it("is continued once where the plugin is loaded twice (R-30)", async () => {
    const host = await begun();
    const second = await host.load();
    for (const hooks of [host.hooks, second])
      void hooks.event?.({ event: recorded("event.session.idle") as { type: string } });
    await host.pass(10_000);
    expect(headings(host)).toEqual(["ITERATION 2/5"]);
  });
});

describe("other sessions", () => {
  const other = "ses_other";
  const child = "ses_child";

  it("in the same directory are untouched, and the loop is untouched by them (S0-33, R-20, R-22)", async () => {
    const host = await begun();
    host.says("Something else.", { sessionId: other });
    await host.idle(other);
    await host.pass(10_000);
    expect(host.prompts).toEqual([]);
    expect(await host.command("cancel-ralph", "", other)).toContain("No Ralph loop is running");
    await host.idle();
    await host.pass(500);
    expect(host.prompts.map(({ id }) => id)).toEqual([session]);
  });

  it("find a loop whose session is gone and clear it; where the host cannot say, it stays (S0-33, R-22)", async () => {
    const host = await begun();
    host.answer.get = () => ({ error: { name: "UnknownError" } });
    await host.idle(other);
    await host.pass(0);
    expect(await host.command("ralph-status", "")).toContain("iteration 1 of 5");
    host.answer.get = () => ({ error: { name: "NotFoundError", data: { message: "Session not found" } } });
    await host.idle(other);
    await host.pass(0);
    expect(host.log).toContain("[ralph-loop] Cleared orphaned state");
  });

  it("of sub-agents end no turn, and one at work is waited for (S0-33, R-38)", async () => {
    const host = await begun();
    await host.send("session.created-child", child, {
      sessionID: child,
      info: { id: child, parentID: session },
    });
    await host.send("session.status-busy", child);
    await host.idle();
    await host.pass(2000);
    expect(host.prompts).toEqual([]);
    await host.idle(child);
    await host.pass(10_000);
    expect(host.prompts.map(({ id }) => id)).toEqual([session]);
  });
});

describe("a turn of ralph itself", () => {
  it("has no loop of its own inside: the plugin stands back (CB-06)", async () => {
    vi.stubEnv("RALPH_RUN_ID", "run-1");
    const host = await openOpencode();
    hosts.push(host);
    expect([host.hooks.config, host.hooks["command.execute.before"]]).toEqual([undefined, undefined]);
    await host.idle();
    await host.pass(60_000);
    expect([host.prompts, host.toasts]).toEqual([[], []]);
  });
});
