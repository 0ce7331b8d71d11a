import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "./scratch-project.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/own-agents.md"), "utf8");
const [plain = "", streaming = ""] = Array.from(guide.matchAll(/```sh\n([^]*?)```/g), ([, script]) => script ?? "");
const settings = JSON.parse(/```json\n([^]*?)```/.exec(guide)?.[1] ?? "{}") as Record<string, unknown>;

function projectWith(path: string, script: string): ScratchProject {
  const project = openProject();
  project.write(path, script);
  chmodSync(join(project.directory, path), 0o755);
  project.settings({ ...settings, agent: { command: `./${path}` } });
  return project;
}

describe("the guide to own agents", () => {
  it("has an agent that works as it stands, with the prompt as argument", async () => {
    const project = projectWith("my-agent", plain);
    project.settings(settings);
    const { code, stdout } = await project.run(["run", "Write the answer"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/The prompt has [1-9]\d+ characters\./);
    expect(await project.json(["show"])).toMatchObject({
      outcome: "completed",
      isVerified: true,
      spend: { usd: null },
    });
  });

  it("sends the prompt on standard input when the settings say so", async () => {
    const project = projectWith(
      "my-agent",
      '#!/bin/sh\ncat > asked.txt; echo 42 > answer.txt; echo "<promise>DONE</promise>"',
    );
    project.settings({ ...settings, agent: { command: "./my-agent", promptVia: "stdin" } });
    expect((await project.run(["run", "Write the answer"])).code).toBe(0);
    expect(project.read("asked.txt")).toContain("Write the answer");
  });

  it.each([["BLOCKED: no key"], ["DECIDE: which port?"]])("waits after %s", async (words) => {
    const project = projectWith("my-agent", `#!/bin/sh\necho "<promise>${words}</promise>"`);
    expect((await project.run(["run", "Write the answer"])).code).toBe(3);
  });

  it("has an agent that reports cost and tokens", async () => {
    const project = projectWith("bin/claude", streaming);
    expect((await project.run(["run", "Write the answer"])).code).toBe(0);
    expect(await project.json(["show"])).toMatchObject({
      outcome: "completed",
      spend: { usd: 0.25, inputTokens: 1200, outputTokens: 80 },
    });
  });
});
