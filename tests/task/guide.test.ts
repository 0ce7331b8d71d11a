import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { taskTemplates } from "../../src/core/tasks/criteria/templates.ts";
import { verificationMethods } from "../../src/core/tasks/criteria/completion-spec.ts";
import { launcher, openProject } from "../run/scratch-project.ts";
import { patient } from "../patience.ts";

const guide = readFileSync(join(import.meta.dirname, "../../docs/guide/tasks.md"), "utf8");

describe("the guide to tasks", () => {
  it("has examples that work, one after the other, as they stand (S2-51, S2-62)", async () => {
    const project = openProject();
    const folder = join(project.root, "bin");
    mkdirSync(folder);
    writeFileSync(join(folder, "ralph"), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`);
    chmodSync(join(folder, "ralph"), 0o755);
    const env = { PATH: `${folder}:/usr/bin:/bin`, RALPH_STATE_HOME: join(project.root, "state"), HOME: project.root };
    for (const [, name] of guide.matchAll(/`([\w-]+\.yaml)`:\n\n```yaml\n/g))
      project.write(name ?? "", yamlAfter(name));
    const scripts = Array.from(guide.matchAll(/```sh\n([^]*?)```/g), ([, script]) => script ?? "");
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts)
      await promisify(execFile)("sh", ["-e", "-c", script], { cwd: project.directory, env, timeout: patient(45_000) });
    const { tasks } = await project.json(["task", "list"]);
    expect((tasks as { id: string }[]).map(({ id }) => id)).toEqual([
      "shop-1",
      "shop-2",
      "auth-1",
      "auth-2",
      "auth-2-2",
    ]);
    expect(project.read("all-tasks.yaml")).toContain("id: shop-2");
  });

  it("says of every method when to use it, and names every template (S2-01, S2-62)", () => {
    for (const method of verificationMethods.filter((each) => each !== "custom"))
      expect(guide).toMatch(new RegExp(`^\\| \`${method}\` +\\| \\w`, "m"));
    for (const { name } of taskTemplates) expect(guide).toContain(`\`${name}\``);
  });
});

function yamlAfter(name = ""): string {
  return guide.split(`\`${name}\`:\n\n\`\`\`yaml\n`)[1]?.split("```")[0] ?? "";
}
