import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { resumeRun, wire } from "../../src/index.ts";
import { eventually, isThere } from "../process/start-program.ts";
import { openFolder } from "./open-folder.ts";

const library = pathToFileURL(join(import.meta.dirname, "..", "..", "dist", "index.js")).href;

/** The agent, which ignores SIGTERM, and a daemon of it in a session of its own. The second turn is good. */
const agent = `#!/bin/sh
echo turn >> turns
[ "$(wc -l < turns)" -gt 1 ] && { echo '<promise>DONE</promise>'; exit 0; }
trap '' TERM
setsid sh -c 'echo $$ > daemon.pid; exec sleep 600' &
while [ ! -s daemon.pid ]; do sleep 0.01; done
echo $$ > agent.part && mv agent.part agent.pid
while :; do sleep 1; done
`;

/** A program that begins a run and does not wait for it. */
function program(way: string): string {
  return `
    import { existsSync } from "node:fs";
    import { runLoop } from ${JSON.stringify(library)};
    // In a PID namespace the kernel would end them, and the pids that they write would be others.
    const settings = { agent: { namespace: false } };
    const run = { prompt: "Work.", agent: { command: "./agent" }, checks: ["true"], stateFolder: "state" };
    const loop = runLoop({ ...run, settings });
    loop.outcome.catch((error) => console.error(error));
    const timer = setInterval(() => {
      if (!existsSync("agent.pid")) return;
      clearInterval(timer);
      console.log(loop.id, process.listenerCount("exit"));
      ${way}
    }, 10);
  `;
}

async function said(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => void (text += chunk.toString()));
  await once(child, "close");
  return text.trim();
}

describe("a program that exits without waiting for its run", () => {
  it.each([
    ["by process.exit", "process.exit(7);"],
    ["by an exception that nobody catches", 'throw new Error("an own fault");'],
  ])("%s leaves no agent alive, and the run can be resumed", async (_, way) => {
    const folder = openFolder({ agent, "program.mjs": program(way) });
    const child = spawn("sh", ["-c", 'chmod +x agent && exec "$0" program.mjs', process.execPath], {
      cwd: folder,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [runId = "", listeners] = (await said(child)).split(" ");
    const pids = ["agent.pid", "daemon.pid"].map((name) => Number(readFileSync(join(folder, name), "utf8")));
    onTestFinished(() => pids.filter(isThere).forEach((pid) => process.kill(pid, "SIGKILL")));
    await eventually(() => expect(pids.filter(isThere)).toEqual([]));
    expect(listeners).toBe("1");
    const stateFolder = join(folder, "state");
    expect(await resumeRun({ runId, stateFolder }).outcome).toMatchObject({ name: "completed" });
    const { store } = await wire({ folder: stateFolder });
    expect((await store.find(runId))[0]?.outcome).toMatchObject({ name: "completed" });
    await store.close();
  });
});
