import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

type Finding = { name: string; state: string; text: string; remedy: string | null; argv?: string[]; version?: string };
type Report = { isReady: boolean; findings: Finding[] };

/** Puts a program on the path of this project's commands. */
function program(project: ScratchProject, name: string, body: string): void {
  const path = join(project.root, "agents", name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
}

/** A dead process nobody has asked about yet has no command line. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path, "utf8") !== "";
}

async function examine(project: ScratchProject, env: Record<string, string> = {}) {
  const folders = [join(project.root, "agents"), "/usr/local/bin", "/usr/bin", "/bin"];
  const given = { env: { PATH: folders.join(":"), LANG: "C.UTF-8", ...env } };
  const { code, stdout } = await project.run(["doctor", "--json"], given);
  const report = JSON.parse(stdout) as Report;
  const find = (name: string): Finding | undefined => report.findings.find((finding) => finding.name === name);
  return { code, report, find };
}

describe("ralph doctor", () => {
  it("finds agents with version and the exact command line of the settings", async () => {
    const project = openProject();
    program(project, "claude", `[ -n "$CLAUDECODE" ] && exit 9\necho "2.1.99 (Claude Code)"`);
    program(project, "codex", "echo codex-cli 0.9.1");
    project.settings({ agent: { command: "claude", model: "opus", flags: ["--api-key", "abc"] } });
    const { code, find } = await examine(project, { CLAUDECODE: "1" });
    expect(find("agent claude")).toMatchObject({ state: "ok", version: "2.1.99", remedy: null });
    expect(find("agent claude")?.argv).toEqual([
      "claude",
      "-p",
      "--output-format",
      "stream-json",
      "--verbose",
      "--model",
      "opus",
      "--api-key",
      "[redacted]",
    ]);
    expect(find("agent codex")).toMatchObject({ state: "ok", version: "0.9.1" });
    expect(find("agent codex")?.argv).not.toContain("opus");
    expect(find("agent amp")).toMatchObject({ state: "missing", remedy: expect.stringContaining("Install amp") });
    expect(find("agent sim")).toMatchObject({ state: "ok", text: "part of ralph" });
    expect(code).toBe(0);
  });

  it("exits with 2 when the agent of the settings is missing, with a remedy (R-83)", async () => {
    const project = openProject();
    project.settings({ agent: { command: "no-such-agent" } });
    const { code, report, find } = await examine(project);
    expect(find("agent no-such-agent")).toMatchObject({ state: "broken", text: "not found" });
    expect(find("agent no-such-agent")?.remedy).toContain("Install no-such-agent");
    expect([code, report.isReady]).toEqual([2, false]);
  });

  it("starts no program whose habits it does not know", async () => {
    const project = openProject();
    program(project, "my-loop", `touch '${project.root}/started'`);
    project.settings({ agent: { command: "my-loop" } });
    const { code, find } = await examine(project);
    expect(find("agent my-loop")).toMatchObject({ state: "ok", argv: ["my-loop", "<prompt>"] });
    expect([code, project.has("../started")]).toEqual([0, false]);
  });

  it("waits for no version longer than 5 s, and leaves nothing alive (R-80)", async () => {
    const project = openProject();
    program(project, "amp", `sleep 600 & echo "$$ $!" > '${project.root}/pids'\nwait`);
    const { code, find } = await examine(project);
    expect(find("agent amp")).toMatchObject({ state: "warn", text: expect.stringContaining("no answer within 5 s") });
    expect(code).toBe(0);
    const pids = project.read("../pids").trim().split(" ").map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it("names every problem of the settings, and is then not ready (S1-14)", async () => {
    const project = openProject();
    project.settings({ maximumIterationen: 3, agent: { command: 7 } });
    const { code, report } = await examine(project);
    const texts = report.findings.filter(({ state }) => state === "broken").map(({ text }) => text);
    expect(texts.join("\n")).toMatch(/agent\.command[^]*maximumIterationen/);
    expect(code).toBe(2);
  });

  it("says that nothing is configured yet, which is no fault", async () => {
    const { code, find } = await examine(openProject());
    expect(find("agent")).toMatchObject({ state: "warn", remedy: expect.stringContaining("ralph init") });
    expect(find("sandbox")).toMatchObject({ state: "warn" });
    expect(find("node")).toMatchObject({ state: "ok", version: process.versions.node });
    expect(code).toBe(0);
  });

  it("looks at the store without making it, and counts its runs", async () => {
    const project = openProject();
    expect((await examine(project)).find("store")?.text).toContain("made by the first run");
    expect(project.has("../state")).toBe(false);
    project.sim("turns: [[claim]]\n");
    await project.run(["run", "-p", "Do it"]);
    expect((await examine(project)).find("store")?.text).toMatch(/state, [\d.]+ [KM]iB, 1 run$/);
  });

  it("exits with 2 when the store cannot be written (R-41)", async () => {
    const project = openProject();
    writeFileSync(join(project.root, "occupied"), "");
    const { code, find } = await examine(project, { RALPH_STATE_HOME: join(project.root, "occupied", "state") });
    expect(find("store")).toMatchObject({ state: "broken", remedy: expect.stringContaining("RALPH_STATE_HOME") });
    expect(code).toBe(2);
  });

  it("knows what delivery needs: a repository, a name, and a program for pull requests (S1-63)", async () => {
    const project = openProject({ isGit: true });
    project.settings({ scm: { command: "git", tasks: ["commit", "pr"] } });
    const first = await examine(project);
    expect(first.find("git")).toMatchObject({ state: "ok", version: expect.stringMatching(/^\d+\.\d+/) });
    expect(first.find("delivery")).toMatchObject({ state: "ok", text: "commits as Test <test@example.invalid>" });
    expect(first.find("pull request")).toMatchObject({ state: "warn" });
    program(project, "gh", "exit 1");
    expect((await examine(project)).find("pull request")).toMatchObject({ state: "ok" });
    project.git("config", "user.name", "");
    project.git("config", "user.useConfigOnly", "true");
    const nobody = await examine(project);
    expect([nobody.code, nobody.find("delivery")?.text]).toEqual([2, "git does not know who commits"]);
  });

  it("warns of a terminal without UTF-8", async () => {
    const { find } = await examine(openProject(), { LANG: "C", LC_ALL: "" });
    expect(find("terminal")).toMatchObject({ state: "warn", remedy: expect.stringContaining("C.UTF-8") });
  });

  it("prints a line a finding and its remedy below, for people", async () => {
    const project = openProject();
    project.settings({ agent: { command: "sim", flags: ["--script", "a b"] } });
    const { code, stdout, stderr } = await project.run(["doctor"], { env: { LANG: "C.UTF-8" } });
    expect(stdout).toMatch(/^ok {6}settings: \.ralph\/settings\.json$/m);
    expect(stdout).toMatch(/^ok {6}agent sim: part of ralph, configured here\n {8}\$ .* sim --script 'a b'$/m);
    expect(stdout).toMatch(/^warn {4}sandbox: .*\n {8}Let it work in a container/m);
    expect([code, stderr]).toEqual([0, ""]);
  });
});
