import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, launcher, openProject, type ScratchProject, type Started, until } from "./scratch-project.ts";

/** A turn that says it has begun and works until the test lets it go. */
const waiting = "touch begun\nwhile [ ! -e go ]; do sleep 0.02; done\ntouch finished\nclaim";

async function startWaiting(project: ScratchProject, words: string[] = []): Promise<Started> {
  const started = project.start(["run", "-p", "Do it", ...words]);
  await until(() => project.has("begun"), "the agent's first turn");
  return started;
}

async function untilSaid(started: Started, text: string): Promise<void> {
  await until(() => started.stderr().includes(text), `"${text}" in: ${started.stderr()}`);
}

const shuttingDown = "Received signal, shutting down...\n";

describe("a signal", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "%s once lets the agent finish, begins nothing new and ends with 130 (S1-64, R-84, CW-1A)",
    async (signal) => {
      const project = openProject();
      project.claude(waiting, { guardrails: [{ command: "touch checked", failAction: "APPEND" }] });
      const started = await startWaiting(project);
      process.kill(started.pid, signal);
      await untilSaid(started, shuttingDown);
      project.write("go", "");
      const { code, stderr } = await started.ended;
      expect(code).toBe(130);
      expect(stderr).toContain("interrupted: Interrupted by a signal");
      expect(project.has("finished")).toBe(true);
      expect(project.has("checked")).toBe(false);
      const resumed = await project.run(["resume"]);
      expect(resumed.stderr).toContain("completed: Claim accepted in iteration 1: touch checked green.");
      expect(resumed.code).toBe(0);
      expect(project.prompts()).toHaveLength(1);
    },
  );

  it("lets a guardrail finish, and ends with 130 though the run completed with it (S1-64, R-84)", async () => {
    const project = openProject();
    const slow = "touch begun; while [ ! -e go ]; do sleep 0.02; done; touch checked";
    project.claude("claim", { guardrails: [{ command: slow, failAction: "APPEND" }] });
    const started = await startWaiting(project);
    process.kill(started.pid, "SIGINT");
    await untilSaid(started, shuttingDown);
    project.write("go", "");
    const { code } = await started.ended;
    expect(project.has("checked")).toBe(true);
    expect(code).toBe(130);
    expect(await project.json(["show"])).toMatchObject({ state: "ended", outcome: "completed" });
  });

  it("twice ends the agent at once with 130, and everything it started (S1-64, R-84, R-80, CW-1A)", async () => {
    const project = openProject();
    project.claude(`sleep 600 &\n${waiting}`);
    const started = await startWaiting(project);
    process.kill(started.pid, "SIGINT");
    await untilSaid(started, shuttingDown);
    process.kill(started.pid, "SIGTERM");
    const { code, stderr } = await started.ended;
    expect(code).toBe(130);
    expect(stderr.split(shuttingDown)).toHaveLength(3);
    expect(project.has("finished")).toBe(false);
    expect(project.living()).toEqual([]);
  });

  it("twice ends an agent that ignores SIGTERM too (R-81, R-84)", async () => {
    const project = openProject();
    project.claude(`trap '' TERM INT\n${waiting}`);
    const started = await startWaiting(project);
    process.kill(started.pid, "SIGTERM");
    await untilSaid(started, shuttingDown);
    process.kill(started.pid, "SIGINT");
    expect((await started.ended).code).toBe(130);
    expect(project.living()).toEqual([]);
  });

  it("SIGHUP ends the agent at once: the terminal is gone (S1-64)", async () => {
    const project = openProject();
    project.claude(waiting);
    const started = await startWaiting(project);
    process.kill(started.pid, "SIGHUP");
    expect((await started.ended).code).toBe(130);
    expect(project.has("finished")).toBe(false);
    expect(project.living()).toEqual([]);
  });

  it("during the wait between two turns ends it promptly with 130 (R-87)", async () => {
    const project = openProject();
    project.claude("exit 1", { agent: { retryDelay: "60s" } });
    const started = project.start(["run", "-p", "Do it"]);
    await untilSaid(started, "(back-off)");
    process.kill(started.pid, "SIGINT");
    expect((await started.ended).code).toBe(130);
    expect(project.prompts()).toHaveLength(1);
  });
});

describe("cancel from another process", () => {
  it("ends the agent and its children at once with 5, and nothing undoes it (R-42, R-80, CB-19)", async () => {
    const project = openProject();
    project.claude(`sleep 600 &\n${waiting}`);
    const started = await startWaiting(project);
    const cancel = await project.run(["cancel"]);
    expect(cancel.stdout).toMatch(/^Run \S+: cancelled\. Cancelled by request\.\n$/);
    expect(cancel.code).toBe(0);
    const { code, stderr } = await started.ended;
    expect(stderr).toContain("cancelled: Cancelled by request.");
    expect(code).toBe(5);
    expect(project.has("finished")).toBe(false);
    expect(project.living()).toEqual([]);
    const resumed = await project.run(["resume"]);
    expect(resumed.code).toBe(2);
    expect(await project.json(["show"])).toMatchObject({ state: "ended", outcome: "cancelled" });
  });

  it("ends a guardrail at work too (R-42, R-80)", async () => {
    const project = openProject();
    project.claude("claim", { guardrails: [{ command: "touch begun; sleep 600", failAction: "APPEND" }] });
    const started = await startWaiting(project);
    expect((await project.run(["cancel"])).code).toBe(0);
    expect((await started.ended).code).toBe(5);
    expect(project.living()).toEqual([]);
  });

  it("ends the wait between two turns promptly (R-87)", async () => {
    const project = openProject();
    project.claude("exit 1", { agent: { retryDelay: "60s" } });
    const started = project.start(["run", "-p", "Do it"]);
    await untilSaid(started, "(back-off)");
    expect((await project.run(["cancel"])).code).toBe(0);
    expect((await started.ended).code).toBe(5);
  });

  it("leaves the runs of other projects alone (R-43)", async () => {
    const [one, other] = [openProject(), openProject()];
    const env = { RALPH_STATE_HOME: join(one.root, "state") };
    for (const project of [one, other]) project.claude(waiting);
    const first = one.start(["run", "-p", "Do it"], { env });
    const second = other.start(["run", "-p", "Do it"], { env });
    await until(() => one.has("begun") && other.has("begun"), "both agents");
    expect((await one.run(["cancel"], { env })).code).toBe(0);
    expect((await first.ended).code).toBe(5);
    other.write("go", "");
    expect((await second.ended).code).toBe(0);
  });
});

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

describe.skipIf(!hasTmux)("in a real terminal (needs tmux)", () => {
  /** Runs `ralph` in a terminal of its own; its exit code lands in a file. */
  function openTerminal(project: ScratchProject): { keys(...keys: string[]): void; screen(): string } {
    const socket = join(project.root, "tmux");
    const env = { PATH: process.env["PATH"], HOME: join(project.root, "home"), TERM: "xterm", LANG: "C.UTF-8" };
    const tmux = (...words: string[]): string =>
      execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], { env, encoding: "utf8" });
    const own = ["RALPH_STATE_HOME=state", "RALPH_KILL_GRACE_MS=200", "TMPDIR=tmp", "HOME=home"];
    const variables = own.map((each) => each.replace("=", `='${project.root}/`).concat("'")).join(" ");
    const ralph = `env ${variables} '${process.execPath}' '${launcher}' run -p 'Do it'`;
    // The shell outlives any Ctrl-C, so that the screen stays until the test is over.
    const command = `trap : INT; ${ralph}; echo $? > code; while :; do sleep 1; done`;
    onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"], { env }));
    tmux("new-session", "-d", "-x", "120", "-y", "40", "-c", project.directory, command);
    return {
      keys: (...keys) => void tmux("send-keys", ...keys),
      screen: () => tmux("capture-pane", "-p"),
    };
  }

  const hasEnded = (project: ScratchProject): boolean => project.has("code") && project.read("code").endsWith("\n");

  it("Ctrl-C once lets the agent finish, though the terminal sends it to the whole group (S1-64, R-84, CW-1A)", async () => {
    const project = openProject();
    project.claude(waiting, { guardrails: [{ command: "touch checked", failAction: "APPEND" }] });
    const terminal = openTerminal(project);
    await until(() => project.has("begun"), "the agent's first turn");
    terminal.keys("C-c");
    await eventually(() => expect(terminal.screen()).toContain("Received signal, shutting down..."));
    project.write("go", "");
    await until(() => hasEnded(project), "the end of the run");
    expect(project.read("code")).toBe("130\n");
    expect(project.has("finished")).toBe(true);
    expect(project.has("checked")).toBe(false);
  });

  it("Ctrl-C twice ends it at once (S1-64, R-84, CW-1A)", async () => {
    const project = openProject();
    project.claude(waiting);
    const terminal = openTerminal(project);
    await until(() => project.has("begun"), "the agent's first turn");
    terminal.keys("C-c");
    await eventually(() => expect(terminal.screen()).toContain("Received signal, shutting down..."));
    await eventually(() => {
      terminal.keys("C-c");
      expect(hasEnded(project)).toBe(true);
    });
    expect(project.read("code")).toBe("130\n");
    expect(project.has("finished")).toBe(false);
    expect(project.living()).toEqual([]);
  });
});
