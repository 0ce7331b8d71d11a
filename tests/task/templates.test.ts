import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { Verification } from "../../src/core/tasks/criteria/completion-spec.ts";
import { roles } from "../../src/core/tasks/criteria/role.ts";
import { taskTemplates } from "../../src/core/tasks/criteria/templates.ts";
import { openProject } from "../run/scratch-project.ts";

/** The smallest project each template is made for, sound and broken. */
const projects = [
  {
    name: "node-tests",
    tool: "npm",
    file: "package.json",
    sound: '{"scripts": {"test": "node --eval 0"}}',
    broken: '{"scripts": {"test": "node --eval process.exit(1)"}}',
  },
  {
    name: "make-check",
    tool: "make",
    file: "Makefile",
    sound: "all:\n\t@true\ncheck:\n\t@true\n",
    broken: "all:\n\t@true\ncheck:\n\t@false\n",
  },
];

const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };

describe("the commands of a template", () => {
  for (const { name, tool, file, sound, broken } of projects)
    it.skipIf(spawnSync(tool, ["--version"], { env }).error !== undefined)(
      `succeed in a sound project and fail in a broken one: ${name} (CW-2F)`,
      () => {
        const project = openProject();
        const run = (command: string): number | null =>
          spawnSync("sh", ["-c", command], { cwd: project.directory, env: { ...env, HOME: project.root } }).status;
        const criteria = taskTemplates.find((template) => template.name === name)?.criteria ?? {};
        const commands = roles.flatMap((role) => commandsOf(criteria[role]?.verification));
        project.write(file, sound);
        expect(commands.map(run)).toEqual(commands.map(() => 0));
        project.write(file, broken);
        expect(commands.map(run)).toContainEqual(expect.toSatisfy((code) => code !== 0));
      },
    );
});

function commandsOf(verification: Verification | undefined): string[] {
  if (verification?.method === "external") return [verification.command];
  if (verification?.method !== "multi_stage") return [];
  return verification.stages.flatMap((stage) => commandsOf(stage.verification));
}
