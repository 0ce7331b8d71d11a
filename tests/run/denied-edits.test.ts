import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

/** An agent that looks around in its first turn, and edits in its second one only with the flag that allows it. */
const careful = `
edit='{"type":"assistant","message":{"id":"e","content":[{"type":"tool_use","id":"t1","name":"Write","input":{}}]}}'
case "$n $*" in
  1*) say 'I looked around.';;
  *--permission-mode\\ acceptEdits*) touch made; claim;;
  *)
    echo "$edit"
    echo '{"type":"result","subtype":"success","is_error":false,"result":"","permission_denials":[{"tool_name":"Write","tool_use_id":"t1"}]}'
    exit 0;;
esac
`;

describe("a run whose edits are denied", () => {
  it("ends in the turn that shows it and prints the new run that works (CB-12)", async () => {
    const project = openProject({ isGit: true });
    const agent = project.claude(careful, { agent: { flags: ["--model", "it's"] } });
    const { code, stderr } = await project.run(["run", "-p", "Don't stop"]);
    expect([code, project.prompts().length]).toEqual([2, 2]);
    expect(stderr).toContain("denied and nothing has changed: add --permission-mode acceptEdits to agent.flags.");
    expect(stderr).not.toContain("ralph resume");
    const command = /^Start a new run with: (.*)$/m.exec(stderr)?.[1] ?? "";
    expect(command).toBe(
      String.raw`ralph run -p 'Don'\''t stop' '--agent-flags=--model,it'\''s,--permission-mode acceptEdits'`,
    );
    const words = execFileSync("/bin/sh", ["-c", `ralph() { printf '%s\\n' "$@"; }; ${command}`], { encoding: "utf8" });
    const again = await project.run(words.trimEnd().split("\n"));
    expect({ code: again.code, stderr: again.stderr }).toMatchObject({ code: 0 });
    expect([agent !== "", project.has("made")]).toEqual([true, true]);
  });

  it("names the prompt file and an agent of the command line in the new run (CB-12)", async () => {
    const project = openProject({ isGit: true });
    const agent = project.claude(careful);
    project.settings({ agent: { command: "other" } });
    project.write("todo.md", "Do it.");
    project.git("add", ".");
    project.git("commit", "--quiet", "-m", "todo");
    const { stderr } = await project.run(["run", "-f", "todo.md", "--agent", agent]);
    expect(stderr).toContain(
      `Start a new run with: ralph run -f todo.md --agent ${agent} '--agent-flags=--permission-mode acceptEdits'\n`,
    );
  });
});
