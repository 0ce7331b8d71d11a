import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { story, taskFileText } from "../prd/sample-task-file.ts";
import type { Turn } from "./model-dialect.ts";
import { startModelServer } from "./model-server.ts";
import { installedPrograms, realAgents } from "./real-agent.ts";
import { endLivingIn, livingIn, runRalph } from "./run-ralph.ts";
import { createScratch, type Scratch } from "./scratch.ts";

const agent = realAgents.claude;
const program = installedPrograms().claude;
const testTimeoutMs = 180_000;
const runTimeoutMs = 150_000;
const editor = join(import.meta.dirname, "..", "prd", "edit-list.js");

let release: (() => Promise<void>) | null = null;
afterEach(async () => {
  await release?.();
  release = null;
});

/** One call of the agent's own shell tool, as the model would make it. */
function call(command: string): Turn {
  return { kind: "answer", text: "Working on it.", calls: [agent.shell(command)] };
}

/** Begins a list with `ralph prd init`, so that the turns get the prompt that people get. */
async function beginList(scratch: Scratch): Promise<void> {
  const words = ["prd", "init", "--name", "shop"];
  const { exitCode } = await runRalph({ scratch, words, environment: {}, timeoutMs: runTimeoutMs });
  expect(exitCode).toBe(0);
  writeFileSync(join(scratch.project, "ralph/prd.md"), "# Shop\n\nAdding must add.\n");
  const list = taskFileText([story("US-001")], { verifyCommands: ["sh check.sh"] });
  writeFileSync(join(scratch.project, "ralph/tasks.json"), `${list}\n`);
  const git = (...line: string[]) => execFileSync("git", line, { cwd: scratch.project, stdio: "pipe" });
  git("add", "--all");
  git("commit", "--quiet", "--message", "plan");
}

describe("the real claude on a task list", () => {
  it.skipIf(program === undefined)(
    "implements a story in one context and approves it in another, with the prompt of its role, guarded, and sent back from a stop with loose ends (S4-09, S4-93, S4-62, CW-4B)",
    { timeout: testTimeoutMs },
    async () => {
      const scratch = createScratch({ agent: { command: program } });
      await beginList(scratch);
      const node = JSON.stringify(process.execPath);
      const server = await startModelServer([
        call("git push --force origin main; touch pushed"),
        call(`sed -i 's/ - / + /' add.sh && sh check.sh`),
        { kind: "answer", text: "I have finished." },
        call(`${node} ${editor} US-001 'reviewStatus="needs_review"' 'notes="adds"' && git commit -qam feat`),
        { kind: "answer", text: "US-001 waits for its review." },
        call(`${node} ${editor} US-001 'reviewStatus="approved"' passes=true reviewCount=1 && git commit -qam review`),
        { kind: "answer", text: "Every story is approved.\n\n<promise>COMPLETE</promise>" },
      ]);
      release = async () => {
        endLivingIn(scratch);
        await server.close();
        scratch.remove();
      };
      const ended = await runRalph({
        scratch,
        words: ["prd", "run"],
        environment: agent.prepare(scratch, server.url),
        timeoutMs: runTimeoutMs,
      });
      expect(ended.exitCode, `${ended.stdout}\n${ended.stderr}`).toBe(0);
      const told = server.asked.filter(({ turn }) => turn !== null).map(({ userTexts }) => userTexts.join("\n"));
      expect(told[0]).toContain("This iteration is **implement**, about story **US-001**");
      expect(server.asked.map(({ toolResults }) => toolResults.join("\n"))[1]).toContain(
        "Refused by the command guard",
      );
      expect(existsSync(join(scratch.project, "pushed"))).toBe(false);
      expect(told[3]).toContain("There are uncommitted changes:\n- add.sh");
      expect(told[5]).toContain("This iteration is **review**, about story **US-001**");
      // A reviewer that had seen the work being done would be no reviewer.
      expect(told[5]).not.toContain("US-001 waits for its review.");
      const list = JSON.parse(readFileSync(join(scratch.project, "ralph/tasks.json"), "utf8")) as unknown;
      expect(list).toMatchObject({ userStories: [{ passes: true, reviewStatus: "approved", reviewCount: 1 }] });
      expect(livingIn(scratch)).toEqual([]);
    },
  );
});
