import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ended, openProject, type ScratchProject } from "./scratch-project.ts";

const key = "sk-test-0123456789abcdef";
const own = "my-own-secret-value";
const env = { ANTHROPIC_API_KEY: key, DEPLOY_SECRET: own };

/** Prints both values on both streams, the first also in two pieces, and asks a question with one in it. */
const talkative = `
echo "key $ANTHROPIC_API_KEY own $DEPLOY_SECRET"
printf %s "half \${ANTHROPIC_API_KEY%cdef}"; sleep 0.2; echo cdef
echo "error $ANTHROPIC_API_KEY" >&2
`;

const redact = { variables: ["DEPLOY_SECRET"] };

/** The files below a folder that hold a text, as bytes. */
function holders(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

function expectHidden(project: ScratchProject, ended: readonly Ended[]): void {
  for (const secret of [key, own]) {
    expect(holders(join(project.root, "state"), secret)).toEqual([]);
    expect(holders(join(project.directory, ".ralph"), secret)).toEqual([]);
    for (const { stdout, stderr } of ended) expect(stdout + stderr).not.toContain(secret);
  }
}

describe("the value of a key variable is hidden where output enters", () => {
  it("in what an agent and a guardrail print: screen, journal, streams, logs and the next prompt", async () => {
    const project = openProject();
    const guardrails = [{ command: `${talkative} exit 1`, failAction: "APPEND" }];
    project.plainAgent(talkative, { redact, guardrails });
    const run = await project.run(["run", "-p", "Do it", "-m", "2", "-V"], { env });
    const views = [["show"], ["show", "--json"], ["logs"], ["logs", "--json"], ["logs", "--raw"]];
    const shown = [];
    for (const words of views) shown.push(await project.run(words));
    expectHidden(project, [run, ...shown]);
    expect(run.stdout).toContain("key [redacted ANTHROPIC_API_KEY] own [redacted DEPLOY_SECRET]");
    expect(run.stdout).toContain("half [redacted ANTHROPIC_API_KEY]");
    expect(run.stderr).toContain("error [redacted ANTHROPIC_API_KEY]");
    expect(shown.at(-1)?.stdout).toContain("half [redacted ANTHROPIC_API_KEY]\n");
    expect(project.prompts()[1]).toContain("own [redacted DEPLOY_SECRET]");
  });

  it("in the stream of an agent that speaks JSON, which stays readable", async () => {
    const project = openProject();
    project.claude('say "I use $ANTHROPIC_API_KEY here"\nclaim', { redact });
    const run = await project.run(["run", "-p", "Do it", "-m", "1"], { env });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain("I use [redacted ANTHROPIC_API_KEY] here");
    expectHidden(project, [run]);
  });

  it("also where that stream escapes it, or cuts it between two blocks of a message", async () => {
    const project = openProject();
    const line = (text: string): string =>
      `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"${text}"}]},"parent_tool_use_id":null}`;
    const escaped = `\\\\u0073${key.slice(1)}`;
    const body = [`escaped ${escaped} `, `cut ${key.slice(0, 12)}`, `${key.slice(12)} end`].map(
      (text) => `printf '%b\\n' '${line(text)}'`,
    );
    project.claude(`${body.join("\n")}\nclaim`, { redact });
    const run = await project.run(["run", "-p", "Do it", "-m", "1"], { env });
    const logs = await project.run(["logs", "--json"]);
    expect(run.stdout).toContain("escaped [redacted ANTHROPIC_API_KEY] cut [redacted ANTHROPIC_API_KEY] end");
    expectHidden(project, [run, logs]);
  });

  it("unless the settings switch that off", async () => {
    const project = openProject();
    project.plainAgent("echo $ANTHROPIC_API_KEY\nclaim", { redact: { enabled: false } });
    const run = await project.run(["run", "-p", "Do it", "-m", "1"], { env });
    expect(run.stdout).toContain(key);
  });
});
