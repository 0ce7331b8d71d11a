import { execFileSync } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import type { Turn } from "./model-dialect.ts";
import { startModelServer } from "./model-server.ts";
import { installedPrograms, realAgents } from "./real-agent.ts";
import { endLivingIn, livingIn, runRalph } from "./run-ralph.ts";
import { checkFailureText, createScratch } from "./scratch.ts";

const agent = realAgents.claude;
const program = installedPrograms().claude;
const testTimeoutMs = 180_000;
const runTimeoutMs = 150_000;

let release: (() => Promise<void>) | null = null;
afterEach(async () => {
  await release?.();
  release = null;
});

/** One call of the agent's own shell tool, as the model would make it. */
function call(command: string): Turn {
  return { kind: "answer", text: "Working on it.", calls: [agent.shell(command)] };
}

function claim(promise: string): Turn {
  return { kind: "answer", text: `All of it is done.\n\n<promise>${promise}</promise>` };
}

it.skipIf(program === undefined)(
  "the real claude takes a task through its roles in a work tree: a weakened check is refused, the repair is reviewed and merged",
  { timeout: testTimeoutMs },
  async () => {
    const scratch = createScratch({
      agent: { command: program, flags: [...agent.flags] },
      seal: { checks: "claims" },
      work: { roles: ["coder", "reviewer"], rounds: 1 },
    });
    const server = await startModelServer([
      call("echo true > check.sh && git commit -qam weaker"),
      claim("CODED"),
      call(`git revert --no-edit HEAD && sed -i 's/ - / + /' add.sh && git commit -qam repaired`),
      claim("CODED"),
      call("sh check.sh"),
      claim("REVIEWED"),
    ]);
    release = async () => {
      endLivingIn(scratch);
      await server.close();
      scratch.remove();
    };
    const environment = agent.prepare(scratch, server.url);
    const ralph = (...words: string[]) => runRalph({ scratch, words, environment, timeoutMs: runTimeoutMs });
    const checked = (role: string, promise: string): string[] =>
      Object.entries({ promise, verify: "external", "verify-cmd": "sh check.sh" }).flatMap(([name, value]) => [
        `--${role}-${name}`,
        value,
      ]);
    const roles = [...checked("coder", "CODED"), ...checked("reviewer", "REVIEWED")];
    const terms = ["--outcome", "It adds.", "--acceptance", "sh check.sh is green"];
    const created = await ralph("task", "create", "add", "shop", "Adding must add", ...terms, ...roles);
    expect(created).toMatchObject({ exitCode: 0 });
    const ended = await ralph("work", "--worktrees");
    expect(ended.exitCode, `${ended.stdout}\n${ended.stderr}`).toBe(0);
    const told = server.asked.filter(({ turn }) => turn !== null).map(({ userTexts }) => userTexts.join("\n"));
    expect(told[2]).toContain(checkFailureText);
    // A reviewer that had seen the work being done would be no reviewer.
    expect(told[4]).not.toContain("All of it is done.");
    const git = (...words: string[]) => execFileSync("git", words, { cwd: scratch.project, encoding: "utf8" });
    expect(git("show", "HEAD:add.sh")).toContain("+");
    expect(git("show", "HEAD:check.sh")).not.toBe("true\n");
    expect(git("log", "-1", "--format=%s")).toBe("task: add Adding must add\n");
    expect(livingIn(scratch)).toEqual([]);
  },
);
