import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

/** What no agent may ever see: each stands in another part of the check. */
const canary = { command: "canarycommand", file: "canaryfile", output: "canaryoutput" };

const honest = "echo right > answer.txt";
const wrong = "echo almost >> answer.txt";

/** A project with a weak check of its own; the held-out check asks for the right answer. */
function heldOutProject(deed: string, settings: Record<string, unknown> = {}): ScratchProject {
  const project = openProject({ isGit: true });
  project.write("answer.txt", "none\n");
  project.git("add", "--all");
  project.git("commit", "--quiet", "--message", "files");
  const guardrails = [{ command: "test -f answer.txt", failAction: "APPEND" }];
  const seal = { checks: "claims", repeat: 2, probe: false };
  project.claude(`${deed}\nclaim`, { guardrails, maximumIterations: 3, seal, ...settings });
  return project;
}

async function holdOut(project: ScratchProject, ...more: string[]): Promise<string> {
  const file = join(project.root, "secret.sh");
  const script = `# ${canary.file}\necho "${["canary", "output"].join('""')}"\ngrep -q right answer.txt\n`;
  writeFileSync(file, script);
  const command = `sh .held-out/secret.sh # ${canary.command}`;
  const words = ["seal", "held-out", "add", "the secret name", "--command", command, "--file", file, ...more];
  const { code, stdout, stderr } = await project.run(words);
  expect([code, stdout]).toEqual([0, "the secret name\n"]);
  return stderr;
}

/** Every file below a folder as text. */
function texts(folder: string): string {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  return paths.map((path) => (statSync(path).isFile() ? readFileSync(path, "latin1") : "")).join("\n");
}

function listOf(project: ScratchProject): string {
  const folder = join(project.root, "home/.config/ralph/held-out");
  return join(folder, readdirSync(folder)[0] ?? "");
}

describe("held-out checks", () => {
  it("accept a claim that they agree with", async () => {
    const project = heldOutProject(honest);
    await holdOut(project);
    const { code, stderr } = await project.run(["run", "-p", "Write the answer."]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("completed: Claim accepted in iteration 1")]);
    expect((await project.run(["show"])).stdout).toContain("the secret name");
    expect((await project.run(["show", "--check"])).code).toBe(0);
  });

  it("refuse a claim, tell the agent nothing but that, and wait for a person after seal.repeat claims", async () => {
    const project = heldOutProject(wrong);
    await holdOut(project);
    const { code, stdout, stderr } = await project.run(["run", "-p", "Write the answer."]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("2 claims were refused by held-out checks")]);
    const prompts = project.prompts();
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain("A held-out check of the task's behaviour failed (1 of 1).");
    const printed = [stdout, stderr];
    for (const words of [["show"], ["show", "--json"], ["logs"], ["logs", "--json"], ["status", "--json"]])
      printed.push((await project.run(words)).stdout);
    expect(printed.join("\n")).toContain("the secret name");
    const seen = [...printed, ...prompts, texts(project.directory), texts(join(project.root, "tmp"))].join("\n");
    for (const secret of Object.values(canary)) expect(seen).not.toContain(secret);
    expect([prompts.join("\n"), texts(project.directory)].join("\n")).not.toContain("the secret name");
    const kept = texts(join(project.root, "state"));
    expect(kept).toContain(canary.output);
    expect(project.living()).toEqual([]);
  });

  it("tell the agent the hint when there is one", async () => {
    const project = heldOutProject(wrong, { maximumIterations: 2 });
    await holdOut(project, "--hint", "Think of the other answer.");
    await project.run(["run", "-p", "Write the answer."]);
    expect(project.prompts()[1]).toContain("Think of the other answer.");
    expect(project.prompts()[1]).not.toContain("A held-out check");
  });

  it("leave nothing of themselves while the next turn runs", async () => {
    const look = `grep -rl ${canary.file} "$TMPDIR" "$HOME" . > "$HOME/../found" 2>/dev/null || true`;
    const project = heldOutProject(`${look}; ${wrong}`);
    await holdOut(project);
    await project.run(["run", "-p", "Write the answer."]);
    expect(project.prompts()).toHaveLength(2);
    expect(readFileSync(join(project.root, "found"), "utf8")).toBe("");
  });

  it("are frozen with the run: an edit of the file or the list changes nothing", async () => {
    const project = heldOutProject(`echo 'true' > "$HOME/../secret.sh"; rm -r "$HOME/.config"; ${wrong}`);
    await holdOut(project);
    expect((await project.run(["run", "-p", "Write the answer."])).code).toBe(3);
  });

  it("refuse a candidate that has files where theirs are put", async () => {
    const project = heldOutProject(`${honest}; mkdir .held-out; echo x > .held-out/x`, { maximumIterations: 1 });
    await holdOut(project);
    const { code, stderr } = await project.run(["run", "-p", "Write the answer."]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(".held-out/x must not be there")]);
  });

  it("refuse code that rewrites their files while they run", async () => {
    const project = heldOutProject(wrong, { maximumIterations: 1 });
    const command = "echo true > .held-out/secret.sh; sh .held-out/secret.sh";
    await holdOut(project);
    expect((await project.run(["seal", "held-out", "remove", "the secret name"])).code).toBe(0);
    const file = join(project.root, "secret.sh");
    await project.run(["seal", "held-out", "add", "other", "--command", command, "--file", file]);
    expect((await project.run(["run", "-p", "Write the answer."])).code).toBe(1);
  });

  it("are kept for their owner alone, and listed by name", async () => {
    const project = heldOutProject(honest);
    await holdOut(project);
    const path = listOf(project);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await project.json(["seal", "held-out", "list"])).toEqual({ path, names: ["the secret name"] });
    chmodSync(path, 0o644);
    const open = await project.run(["run", "-p", "x"]);
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${path}`)]);
  });

  it("must not stand in the settings or lie in the project, and need sealed checks", async () => {
    const project = heldOutProject(honest, { seal: { checks: "claims", heldOut: [{ name: "a", command: "true" }] } });
    const inSettings = await project.run(["run", "-p", "x"]);
    expect([inSettings.code, inSettings.stderr]).toEqual([
      2,
      expect.stringContaining("seal.heldOut must not stand in settings"),
    ]);
    project.claude("claim", { seal: { checks: "claims" }, guardrails: [{ command: "true", failAction: "APPEND" }] });
    project.write("own.yaml", "[]\n");
    chmodSync(join(project.directory, "own.yaml"), 0o600);
    const inProject = await project.run(["run", "-p", "x", "--held-out", "own.yaml"]);
    expect([inProject.code, inProject.stderr]).toEqual([2, expect.stringContaining("lies in the project")]);
    project.claude("claim", { seal: { checks: "off" }, guardrails: [{ command: "true", failAction: "APPEND" }] });
    await holdOut(project);
    const off = await project.run(["run", "-p", "x"]);
    expect([off.code, off.stderr]).toEqual([2, expect.stringContaining("do not run sealed")]);
    expect(existsSync(join(project.directory, ".held-out"))).toBe(false);
  });

  it("come from the file that --held-out names", async () => {
    const project = heldOutProject(wrong, { maximumIterations: 1 });
    const file = join(project.root, "list.yaml");
    writeFileSync(file, "- name: one\n  command: grep -q right answer.txt\n", { mode: 0o600 });
    const { code, stderr } = await project.run(["run", "-p", "x", "--held-out", file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("A held-out check of the task's behaviour failed")]);
  });
});
