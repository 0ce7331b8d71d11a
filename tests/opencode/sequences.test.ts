import { afterEach, describe, expect, it } from "vitest";
import { type FakeOpencode, openOpencode, recorded, session } from "./fake-opencode.ts";

const hosts: FakeOpencode[] = [];
afterEach(() => hosts.splice(0).forEach((host) => host.close()));

const child = "ses_child";

/** Plays the events of a recorded sequence, in their order, into a session that has a loop. */
async function play(name: string): Promise<FakeOpencode> {
  const host = await openOpencode();
  hosts.push(host);
  const { order } = recorded("sequences")[name] as { order: string[] };
  let current: string | null = null;
  for (const step of order) {
    if (step === "session.created" && current === null) {
      current = session;
      await host.send("session.created");
      await host.command("ralph", '"Fix it" --max-iterations=9');
    } else if (step === "session.created") {
      current = child;
      await host.send("session.created-child", child, { sessionID: child, info: { id: child, parentID: session } });
    } else if (step === "hook tool.execute.after") current = session;
    else if (step === "hook experimental.text.complete") host.says("Working on it.", { sessionId: current ?? session });
    else if (/^session\.(status|error):/.test(step)) await host.send(step.replace(":", "-"), current ?? session);
    else if (/^session\.(idle|deleted)$/.test(step)) await host.send(step, current ?? session);
  }
  await host.pass(20_000);
  return host;
}

describe("what the real host was seen to send", () => {
  it.each([
    ["ev-error", 1],
    ["ev-abort", 0],
    ["ev-retry", 1],
    ["ev-tools", 1],
    ["ev-permission", 1],
  ])("in %s leads to %i continuations of the loop (S0-37, CW-0H, R-30, R-34, R-36)", async (name, count) => {
    const host = await play(name);
    expect(host.prompts.map(({ id }) => id)).toEqual(Array.from({ length: count }, () => session));
  });
});
