import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { launcher, openProject, type ScratchProject } from "../run/scratch-project.ts";
import { hasTmux, openTerminal, type Terminal } from "./open-terminal.ts";

const agentQuestion = "Agent command (e.g., claude, codex, amp, or other LLM CLI): ";
const permissionQuestion = "Permissions (edits|all|own) [edits]: ";

/** As the real one, it edits only when its flags allow that. */
const agent = `#!/bin/sh
cat > /dev/null
case "$*" in *acceptEdits*) touch made;; esac
echo '{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"<promise>DONE</promise>"}]}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":""}'
`;

/** The check of an ecosystem: red before the agent's edit. */
const check = "#!/bin/sh\ntest -f made\n";

/** `ralph` in a terminal of the usual size, on a path with the agent, the tools and nothing else but the system's. */
function start(project: ScratchProject, tools: readonly string[], words: string[]): Terminal {
  const programs = join(project.root, "programs");
  mkdirSync(programs, { recursive: true });
  for (const [name, source] of [["claude", agent], ...tools.map((tool) => [tool, check])] as [string, string][]) {
    writeFileSync(join(programs, name), source);
    chmodSync(join(programs, name), 0o755);
  }
  const folder = join(project.root, words[0] ?? "");
  mkdirSync(folder);
  return openTerminal({
    folder,
    cwd: project.directory,
    argv: [process.execPath, launcher, ...words],
    env: {
      PATH: [programs, dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
      HOME: join(project.root, "home"),
      RALPH_STATE_HOME: join(project.root, "state"),
    },
    columns: 80,
    rows: 24,
  });
}

describe.skipIf(!hasTmux)("the first run after ralph init, in a terminal of 80x24", () => {
  it.each<[string, Record<string, string>, string[], string[]]>([
    ["Node", { "package.json": '{"name": "x", "scripts": {"test": "node --test"}}' }, ["npm"], ["npm test"]],
    ["Python", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, ["pytest"], ["pytest"]],
    ["Rust", { "Cargo.toml": '[package]\nname = "x"\n' }, ["cargo"], ["cargo test", "cargo clippy -- -D warnings"]],
    ["empty", {}, [], []],
  ])(
    "completes in a fresh %s repository after two questions, without an edit by hand (S1-21, S1-28, S1-29, CB-12)",
    async (_, files, tools, checks) => {
      const project = openProject({ isGit: true });
      rmSync(join(project.directory, ".ralph"), { recursive: true });
      for (const [path, content] of Object.entries(files)) project.write(path, content);
      const init = start(project, tools, ["init"]);
      await init.answer(agentQuestion, "");
      await init.answer(permissionQuestion, "");
      expect(await init.exitCode()).toBe(0);
      expect(init.screen()).not.toContain("Not found on this machine");
      for (const command of checks) expect(init.screen()).toContain(`  guardrail: ${command}\n`);
      expect(init.screen()).toContain("agent: claude --permission-mode acceptEdits\n");
      expect(init.screen().endsWith('Next: ralph run -p "What to do"')).toBe(true);
      const run = start(project, tools, ["run", "-p", "Make it."]);
      expect({ code: await run.exitCode(), screen: run.screen() }).toMatchObject({ code: 0 });
      expect(run.screen()).toMatch(/^completed/m);
      expect(project.has("made")).toBe(true);
    },
  );
});
