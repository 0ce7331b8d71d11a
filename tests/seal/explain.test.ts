import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject } from "../run/scratch-project.ts";

function project(settings: Record<string, unknown>, isGit = true): ScratchProject {
  const opened = openProject({ isGit });
  const files = {
    "package.json": '{ "name": "p", "type": "module", "scripts": { "test": "node --test", "lint": "sh lint.sh" } }\n',
    "package-lock.json": '{ "lockfileVersion": 3, "packages": {} }\n',
    "add.js": "export const add = 1;\n",
    "lint.sh": "true\n",
    "test/add.test.js": "\n",
    ".npmrc": "\n",
    "AGENTS.md": "\n",
    "node_modules/a/index.js": "\n",
    ".gitignore": "node_modules\n.ralph\n",
  };
  for (const [path, text] of Object.entries(files)) opened.write(path, text);
  if (isGit) {
    opened.git("add", "--all");
    opened.git("commit", "--quiet", "--message", "files");
  }
  opened.settings({
    guardrails: ["npm test", "npm run lint"].map((command) => ({ command, failAction: "APPEND" })),
    ...settings,
  });
  opened.write("new.test.js", "");
  return opened;
}

/** Every path below the root of a scratch project with the time of its last change. */
function everything(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();
}

describe("ralph seal explain", () => {
  it("says what would be protected and why, and writes nothing", async () => {
    const opened = project({ seal: { checks: "claims" } });
    const before = everything(opened.root);
    const { code, stdout } = await opened.run(["seal", "explain"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("The checks of a claim run sealed in ralph run.")]);
    expect(stdout).toContain("npm test: report node-test of node-test");
    expect(stdout).toContain("npm run lint: exit code only");
    expect(stdout).toContain("package-lock.json: packages that it pins must not change");
    expect(stdout).toContain("node_modules: copied once before the first turn");
    expect(stdout).toContain("6 runs before the first turn");
    expect(everything(opened.root)).toEqual(before);
  });

  it("gives programs the same with every path", async () => {
    const opened = project({ seal: { checks: "claims", allow: ["lint.sh"] } });
    const shown = await opened.json(["seal", "explain"]);
    expect(shown).toMatchObject({ isSealed: true, problem: null, projectDir: opened.directory });
    const explanation = shown["explanation"] as { protected: { rule: string; paths: { path: string }[] }[] };
    const rules = explanation.protected.map(({ rule, paths }) => [rule, paths.map(({ path }) => path)]);
    expect(Object.fromEntries(rules)).toEqual({
      tests: ["test/add.test.js"],
      runner: [".npmrc"],
      keys: ["package.json"],
      agent: ["AGENTS.md"],
      allowed: ["lint.sh"],
    });
  });

  it("explains what sealing would do where it is off, and that there is nothing to seal outside git", async () => {
    const off = await project({ seal: { checks: "off" } }).run(["seal", "explain"]);
    expect([off.code, off.stdout]).toEqual([0, expect.stringContaining("seal.checks is off")]);
    expect(off.stdout).toContain("lint.sh");
    const outside = await project({ seal: { checks: "claims" } }, false).run(["seal", "explain"]);
    expect([outside.code, outside.stdout]).toEqual([0, expect.stringContaining("It is not in a git repository.")]);
    expect(outside.stdout).not.toContain("Programs:");
  });
});
