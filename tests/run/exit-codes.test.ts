import { chmodSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

describe("how a run ends", () => {
  it("completes with 0 when the claim stands and no guardrail objects (S1-45, S1-65)", async () => {
    const project = openProject();
    project.claude("say 'All done.\\n'\nclaim", { guardrails: [{ command: "true", failAction: "APPEND" }] });
    const { code, stdout, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("completed: Claim accepted in iteration 1: true green.");
    expect(stdout).toBe("All done.\n<promise>DONE</promise>\n");
    expect(code).toBe(0);
    expect(project.prompts()).toHaveLength(1);
  });

  it("completes with 0 and says so when no check is configured (S1-45, CB-07)", async () => {
    const project = openProject();
    project.claude("case $n in 3) claim;; *) say 'Still at it.';; esac");
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("completed, unverified: Claim accepted in iteration 3: no check is configured.");
    expect(code).toBe(0);
    expect(project.prompts()).toHaveLength(3);
  });

  it("ends with 1 when the iterations are used up (S1-37, S1-47, S1-65)", async () => {
    const project = openProject();
    project.claude("say 'Still at it.'", { maximumIterations: 3 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("exhausted: No accepted claim within 3 iterations.");
    expect(code).toBe(1);
    expect(project.prompts()).toHaveLength(3);
  });

  it.each([
    ["-m", "1"],
    ["--maximum-iterations", "1"],
    ["--maximum-iterations=1"],
    ["--max-iterations", "1"],
    ["--max-iterations=1"],
  ])("runs exactly once with %s %s, whatever the settings say (R-54, R-51, S1-06, CB-09)", async (...flag) => {
    const project = openProject();
    project.claude("say 'Still at it.'", { maximumIterations: 3 });
    const { code, stderr } = await project.run(["run", "-p", "Do it", ...flag.filter((word) => word !== undefined)]);
    expect(stderr).toContain("exhausted: No accepted claim within 1 iteration.");
    expect(code).toBe(1);
    expect(project.prompts()).toHaveLength(1);
  });

  it("runs ten iterations by default (S1-10, CB-02)", async () => {
    const project = openProject();
    project.claude("echo $n > work.txt; say 'Still at it.'");
    const { code } = await project.run(["run", "-p", "Do it"]);
    expect(code).toBe(1);
    expect(project.prompts()).toHaveLength(10);
  });

  it.each([
    ["stops with 4 after five turns without a change", {}, 4, 5],
    ["runs on without any change where breaker.noProgress is null", { noProgress: null }, 1, 7],
  ])("%s", async (_, breaker, expected, turns) => {
    const project = openProject();
    project.claude("say 'Still at it.'", { breaker, maximumIterations: 7 });
    const { code } = await project.run(["run", "-p", "Do it"]);
    expect([code, project.prompts().length]).toEqual([expected, turns]);
  });

  it.each([
    ["BLOCKED: no access to the server", "waiting: Blocked: no access to the server"],
    ["DECIDE: tabs or spaces?", "waiting: Needs a decision: tabs or spaces?"],
  ])("waits for a person with 3 on %s, even with a red guardrail (S1-65, CB-08)", async (claim, sentence) => {
    const project = openProject();
    project.claude(`say '<promise>${claim}</promise>'`, { guardrails: [{ command: "false", failAction: "APPEND" }] });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(3);
    expect(project.prompts()).toHaveLength(1);
    const shown = await project.run(["show"]);
    expect(shown.stdout).toContain(sentence);
  });

  it("stops with 4 after five failed turns in a row (CB-05, CW-1K)", async () => {
    const project = openProject();
    project.claude("exit 7");
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toMatch(/^stopped: 5 turns in a row failed.*exit code 7/m);
    expect(code).toBe(4);
    expect(project.prompts()).toHaveLength(5);
  });

  it("starts counting failures anew after a turn that succeeded (CB-05)", async () => {
    const project = openProject();
    project.claude("case $n in 3) echo > work.txt; say 'One that worked.';; *) exit 1;; esac", {
      breaker: { failures: 3 },
    });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("stopped: 3 turns in a row failed");
    expect(code).toBe(4);
    expect(project.prompts()).toHaveLength(6);
  });

  it("stops with 4 when nothing changes for as many turns as breaker.noProgress says (S1-65)", async () => {
    const project = openProject({ isGit: true });
    project.claude("[ $n = 1 ] && echo work > file.txt\nsay 'Hm.'", { breaker: { noProgress: 2 } });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("stopped: 2 turns in a row changed neither files, commits nor check results.");
    expect(code).toBe(4);
    expect(project.prompts()).toHaveLength(3);
  });
});

describe("what a run says about itself", () => {
  it("tells the same outcome on the console, in --json, in the journal and in show (CB-08)", async () => {
    const project = openProject();
    project.claude("say 'Still at it.'", { maximumIterations: 1 });
    const { code, stdout } = await project.run(["run", "-p", "Do it", "--json"]);
    const reason = "No accepted claim within 1 iteration.";
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.at(-1)).toMatchObject({ kind: "outcome", outcome: "exhausted", reason, exitCode: 1, iteration: 1 });
    expect(code).toBe(1);
    const logs = await project.run(["logs", "--json"]);
    expect(logs.stdout).toContain(`"outcome":{"name":"exhausted","reason":"${reason}"}`);
    expect(await project.json(["show"])).toMatchObject({ outcome: "exhausted", reason });
    expect((await project.run(["show"])).stdout).toContain(`exhausted: ${reason}`);
  });

  it("keeps the agent's output off the console when asked, and still finds the claim (S1-41, S1-42, S1-06)", async () => {
    const project = openProject();
    project.claude("say 'Secret words.'\nclaim", { streamAgentOutput: true });
    const quiet = await project.run(["run", "-p", "Do it", "--no-stream-agent-output"]);
    expect(quiet.stdout).toBe("");
    expect(quiet.code).toBe(0);
    project.claude("say 'Secret words.'\nclaim", { streamAgentOutput: false });
    const loud = await project.run(["run", "-p", "Do it", "--stream-agent-output"]);
    expect(loud.stdout).toContain("Secret words.");
    const unasked = await project.run(["run", "-p", "Do it"]);
    expect(unasked.stdout).toBe("");
  });

  it("shows with --verbose what each iteration is told, and keeps it in .ralph for the record (S1-66)", async () => {
    const project = openProject({ isGit: true });
    const check = { command: "test -e ok.txt", failAction: "PREPEND", hint: "Make ok.txt." };
    project.claude("if [ -e tried ]; then touch ok.txt; fi; touch tried; claim", { guardrails: [check] });
    const { code, stderr } = await project.run(["run", "-p", "Do it", "-V"]);
    expect(code).toBe(0);
    const shown = stderr.split("\n").filter((line) => line.startsWith("[ralph] Prompt: "));
    expect(shown).toHaveLength(2);
    expect(shown[0]).toMatch(/^\[ralph\] Prompt: Do it When everything is done/);
    expect(shown[1]).toMatch(
      /^\[ralph\] Prompt: Guardrail "test -e ok\.txt" failed with exit code 1\. Hint: Make ok\.txt\./,
    );
    const kept = ["001", "002"].map((number) => project.read(`.ralph/prompt_${number}.txt`));
    expect(kept).toEqual(project.prompts());
    expect(project.git("status", "--porcelain", "--untracked-files=all")).not.toContain("prompt_");
  });

  it("reads plain text of a program that only has the name of an agent, and says so (S1-41, S1-73)", async () => {
    const project = openProject();
    const path = project.claude("claim");
    writeFileSync(path, "#!/bin/sh\ncat > /dev/null\necho 'All is well.'\necho '<response>done</response>'\n");
    const { code, stdout, stderr } = await project.run(["run", "-p", "Do it", "-m", "1"]);
    expect(stdout).toContain("claude prints plain text instead of its stream of events: it is read as text.\n");
    expect(stdout).toContain("All is well.\n<response>done</response>\n");
    expect(stderr).toMatch(/^completed, unverified:/m);
    expect(code).toBe(0);
  });

  it("asks the agent for its text alone when nobody follows its output (S1-31, S1-32, S1-42)", async () => {
    const project = openProject();
    const path = project.claude("claim");
    const answer = `case " $* " in *' --output-format text '*) echo 'All is well. <promise>DONE</promise>';; esac`;
    writeFileSync(path, `#!/bin/sh\ncat > /dev/null\n${answer}\n`);
    const { code, stdout, stderr } = await project.run([
      "run",
      "-p",
      "Do it",
      "-m",
      "1",
      "-V",
      "--no-stream-agent-output",
    ]);
    expect(stderr).toContain(`[ralph] Agent command: ${path} -p --output-format text\n`);
    expect(stderr).toMatch(/^completed, unverified:/m);
    expect([code, stdout]).toEqual([0, ""]);
  });

  it("reads the answer of an agent that writes it into a file, and nothing else (S1-35, S1-42)", async () => {
    const project = openProject();
    const path = join(dirname(project.claude("claim")), "codex");
    const write = 'while [ "$1" != -o ]; do shift; done; echo "<response>DONE</response>" > "$2"';
    writeFileSync(path, `#!/bin/sh\ncat > /dev/null\necho 'progress <promise>NEVER</promise>'\n${write}\n`);
    chmodSync(path, 0o755);
    const completion = { requireProgress: false };
    project.settings({ agent: { command: path }, streamAgentOutput: false, completion });
    const { code, stderr } = await project.run(["run", "-p", "Do it", "-m", "1", "-V"]);
    expect(stderr).toContain(`[ralph] Agent command: ${path} exec -o ANSWER -s workspace-write -\n`);
    expect(stderr).toMatch(/Completion check: .*"response":"DONE"/);
    expect(stderr).not.toContain("NEVER");
    expect(code).toBe(0);
  });

  it("says more with --verbose, each line marked, and hides secrets (S1-66, S1-67, S1-82)", async () => {
    const project = openProject();
    const path = project.claude("claim", {
      agent: { flags: ["--model opus", "--api-key=sk-abcdefghijklmnop"] },
      guardrails: [{ command: "true", failAction: "APPEND" }],
    });
    const words = ["run", "-p", "x".repeat(300), "-V"];
    const first = await project.run(words);
    const marked = first.stderr.split("\n").filter((line) => line.startsWith("[ralph] "));
    expect(marked).toContain("[ralph] Loading settings from .ralph/settings.json");
    expect(marked.find((line) => line.startsWith(`[ralph] Agent command: ${path} -p `))).toContain("--model opus");
    expect(marked).toContain(`[ralph] Prompt: ${"x".repeat(200)}`);
    expect(marked).toContain("[ralph] Iteration 1/10 starting");
    expect(marked).toContain("[ralph] Running guardrail: true");
    expect(marked.join("\n")).toMatch(/\[ralph\] Guardrail exited with code 0 \([\d.]+m?s\)/);
    expect(first.stderr).not.toContain("settings.local.json");
    expect(first.stderr).not.toContain("sk-abcdefghijklmnop");
    project.settings({ maximumIterations: 4 }, "settings.local.json");
    const second = await project.run(words);
    expect(second.stderr).toContain("[ralph] Loading settings from .ralph/settings.local.json");
    expect(second.stderr).toContain("[ralph] Iteration 1/4 starting");
  });
});
