import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createProcesses } from "../../src/shell/processes/processes.ts";
import { probePidNamespace } from "../../src/shell/seal/namespace/pid-namespace.ts";
import { eventually, launcher, openProject, type ScratchProject } from "./scratch-project.ts";

const env = { PATH: process.env["PATH"] ?? "" };
const { prefix } = await probePidNamespace({ processes: createProcesses(), env, directory: "/" });

/** Pids of this machine whose command line begins with a text. */
function running(text: string): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines
    .filter((line) => line.trim().replace(/^\d+ /, "").startsWith(text))
    .map((line) => Number.parseInt(line, 10));
}

let count = 0;

/** A number of seconds that nothing else on this machine sleeps. */
const newSeconds = (): string => `9999.${process.pid}${(count += 1)}`;

/** Leaves a daemon without environment, in a session of its own, whose parent is gone. */
const leaveDaemon = (seconds: string): string =>
  `env -i setsid -f sleep ${seconds} </dev/null >/dev/null 2>&1
while ! ps -eo args | grep -q '^sleep ${seconds}'; do sleep 0.05; done`;

/** Ends what is left of it, so that a test that fails leaves nothing behind; returns how many there were. */
function endDaemon(seconds: string): number {
  const left = running(`sleep ${seconds}`);
  for (const pid of left) process.kill(pid, "SIGKILL");
  return left.length;
}

async function shown(project: ScratchProject): Promise<string> {
  return (await project.run(["show"])).stdout;
}

describe.skipIf(prefix === null)("every turn runs in a PID namespace", () => {
  it("and a daemon that sheds environment, session and parent ends with its turn", async () => {
    const seconds = newSeconds();
    const project = openProject();
    project.plainAgent(`${leaveDaemon(seconds)}\nclaim`);
    expect((await project.run(["run", "-p", "Do it", "-m", "1"])).code).toBe(0);
    expect(endDaemon(seconds)).toBe(0);
    expect(await shown(project)).not.toContain("PID namespace");
  });

  it("unless the settings say otherwise, which the start, the journal, ralph show and a dry run tell", async () => {
    const seconds = newSeconds();
    const project = openProject();
    project.plainAgent(`${leaveDaemon(seconds)}\nclaim`, { agent: { namespace: false } });
    const { stderr } = await project.run(["run", "-p", "Do it", "-m", "1"]);
    expect(endDaemon(seconds)).toBe(1);
    const sentence = "Turns have no PID namespace: agent.namespace is false.";
    expect([stderr.includes(sentence), (await shown(project)).includes(sentence)]).toEqual([true, true]);
    const plan = await project.run(["run", "-p", "Do it", "--dry-run"]);
    expect(plan.stdout).toContain("Turns:        without a PID namespace: agent.namespace is false\n");
    const json = await project.run(["run", "-p", "Do it", "--dry-run", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ isContained: false });
  });

  it("from where the agent's own run is known although nothing but the namespace is left of it", async () => {
    const project = openProject();
    const cancel = `'${process.execPath}' '${launcher}' cancel > said 2>&1; echo "$?" > code.new; mv code.new code`;
    project.write("orphan.sh", `while [ ! -e parent-gone ]; do sleep 0.05; done; ${cancel}`);
    const clean = 'env -i PATH="$PATH" HOME="$HOME" RALPH_STATE_HOME="$RALPH_STATE_HOME"';
    project.plainAgent(
      `${clean} setsid -f sh orphan.sh\ntouch parent-gone\nn=0; while [ ! -e code ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done\nclaim`,
    );
    const { code } = await project.run(["run", "-p", "Do it", "-m", "1"]);
    expect({ code, ralph: project.read("code").trim() }).toEqual({ code: 0, ralph: "2" });
    expect(project.read("said")).toContain("cannot be changed from inside itself");
  });

  it("which a cancel ends when ralph was killed", async () => {
    const seconds = newSeconds();
    const project = openProject();
    project.plainAgent(`${leaveDaemon(seconds)}\ntouch ready\nsleep 600`);
    const program = project.start(["run", "-p", "Do it", "-m", "1"]);
    await eventually(() => expect(project.has("ready")).toBe(true));
    expect(running(`sleep ${seconds}`)).toHaveLength(1);
    process.kill(program.pid, "SIGKILL");
    await program.ended;
    expect((await project.run(["cancel"])).code).toBe(0);
    await eventually(() => expect(running(`sleep ${seconds}`)).toEqual([]));
  });
});
