import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync, chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ScratchProject, until } from "./scratch-project.ts";

const paragraph =
  "When everything is done and verified, and not before, output the line <promise>DONE</promise> on its own.";

/** Everything a shell, a template or an option parser could take for its own. */
const nasty = [
  `"double" 'single' it's`,
  "$(touch hacked) `touch hacked` $HOME ${PATH} $& $1 %s %d \\n \\\\",
  "---",
  "--help -p -f - -- *? [a-z] ~ !! # ; | & > /dev/null",
  "{{PROMPT}} {{PROMISE}}",
  "tab\there, trailing space ",
  "",
  "emoji 🎉 日本語 e\u0301 \u200B",
  "<promise>DONE</promise>",
].join("\n");

const large = `${"0123456789 äöü ".repeat(12_500)}end`;

/** An argument may have 128 KiB on Linux. */
const nearlyTooLarge = "x".repeat(90_000);

const short = (text: string): string => (text.length < 2000 ? text : createHash("sha256").update(text).digest("hex"));

describe("a prompt arrives byte by byte", () => {
  it.each([
    ["stdin", "-p", nasty],
    ["argument", "-p", nasty],
    ["stdin", "-f", nasty],
    ["argument", "-f", nasty],
    ["stdin", "-f", large],
    ["argument", "-f", nearlyTooLarge],
  ] as const)("by %s, given with %s (R-50, R-52, CB-13) #%#", async (promptVia, flag, text) => {
    const project = openProject();
    project.claude("claim", { agent: { promptVia }, completion: { instruction: false } });
    project.write("prompt.md", text);
    const { code, stderr } = await project.run(["run", flag, flag === "-p" ? text : "prompt.md"]);
    expect(stderr).toMatch(/^completed, unverified:/m);
    expect(code).toBe(0);
    expect(project.prompts().map(short)).toEqual([short(text)]);
    expect(project.has("hacked")).toBe(false);
  });

  it("as the last argument of a program nobody knows, and by standard input above 100 KiB (R-50, S1-30)", async () => {
    const project = openProject();
    project.plainAgent("claim", { completion: { instruction: false } });
    expect((await project.run(["run", "-p", nasty])).code).toBe(0);
    const path = join(project.root, "agents", "reader");
    writeFileSync(path, `#!/bin/sh\ncat > got\necho $# > count\necho '<promise>DONE</promise>'\n`);
    chmodSync(path, 0o755);
    project.write("prompt.md", large);
    expect((await project.run(["run", "-f", "prompt.md", "--agent", path])).code).toBe(0);
    expect(project.prompts()).toEqual([nasty]);
    expect(short(project.read("got"))).toBe(short(large));
    expect(project.read("count")).toBe("0\n");
  });

  it("from standard input, read once (S1-03, S1-38)", async () => {
    const project = openProject();
    project.claude("case $n in 2) claim;; esac", { completion: { instruction: false } });
    expect((await project.run(["run", "-f", "-"], { stdin: `${nasty}\n\n` })).code).toBe(0);
    expect(project.prompts()).toEqual([nasty, nasty]);
  });

  it("refuses an empty standard input (S1-04)", async () => {
    const project = openProject();
    project.claude("claim");
    const { code, stderr } = await project.run(["run", "-f", "-"], { stdin: "\n" });
    expect(stderr).toContain("The prompt is empty");
    expect(code).toBe(2);
  });

  it("with -p as it is, and from a file without its trailing newlines (S1-38)", async () => {
    const project = openProject();
    project.claude("claim", { completion: { instruction: false } });
    project.write("prompt.md", "  From a file \n\r\n\n");
    expect((await project.run(["run", "  As it is\n\n"])).code).toBe(0);
    expect((await project.run(["run", "-f", "prompt.md"])).code).toBe(0);
    expect(project.prompts()).toEqual(["  As it is\n\n", "  From a file "]);
  });
});

describe("a prompt file", () => {
  it("is read again at every iteration (R-55, S1-38, CB-14)", async () => {
    const project = openProject();
    project.write("prompt.md", "First words\n");
    project.claude("case $n in 1) echo 'Second words' > prompt.md;; *) claim;; esac", {
      completion: { instruction: false },
    });
    expect((await project.run(["run", "-f", "prompt.md"])).code).toBe(0);
    expect(project.prompts()).toEqual(["First words", "Second words"]);
  });

  it("that is deleted ends the run with 2 and is named; put back, the run can be resumed (R-55)", async () => {
    const project = openProject();
    project.write("prompt.md", "First words\n");
    project.claude("case $n in 1) rm prompt.md;; *) claim;; esac", { completion: { instruction: false } });
    const { code, stderr } = await project.run(["run", "-f", "prompt.md"]);
    expect(stderr).toMatch(/^failed: .*prompt\.md/m);
    expect(code).toBe(2);
    expect(project.prompts()).toHaveLength(1);
    project.write("prompt.md", "Restored words\n");
    expect((await project.run(["resume"])).code).toBe(0);
    expect(project.prompts()).toEqual(["First words", "Restored words"]);
    expect(await project.json(["show"])).toMatchObject({ iteration: 2 });
  });

  it.each([
    ["emptied", ": > prompt.md"],
    ["replaced by a folder", "rm prompt.md; mkdir prompt.md"],
  ])("that is %s meanwhile ends the run with 2 and is named (R-55, R-41)", async (_, change) => {
    const project = openProject();
    project.write("prompt.md", "First words\n");
    project.claude(`case $n in 1) ${change};; *) claim;; esac`);
    const { code, stderr } = await project.run(["run", "-f", "prompt.md"]);
    expect(stderr).toMatch(/^failed: .*prompt\.md/m);
    expect(code).toBe(2);
    expect(project.prompts()).toHaveLength(1);
  });
});

describe("how to claim", () => {
  const check = async (
    prompt: string,
    expected: string,
    settings: Record<string, unknown> = {},
    words: string[] = [],
  ) => {
    const project = openProject();
    project.claude("say Hm.", { maximumIterations: 1, ...settings });
    await project.run(["run", "-p", prompt, ...words]);
    expect(project.prompts()).toEqual([expected]);
  };

  it("is told last, after two newlines, when the prompt does not say", async () => {
    await check("Do it", `Do it\n\n${paragraph}`);
    await check("Say DONE or <promise>OTHER</promise>", `Say DONE or <promise>OTHER</promise>\n\n${paragraph}`);
  });

  it("is not told when the prompt shows the tag, in any case and spacing", async () => {
    await check("End with <promise>DONE</promise>.", "End with <promise>DONE</promise>.");
    await check("End with <Response>\n done </response>.", "End with <Response>\n done </response>.");
  });

  it("is told with the text that is expected, whatever it is made of (R-10, R-51)", async () => {
    const text = "All (tests) pass. $& 100% 'äöü'";
    const told = paragraph.replace("DONE", () => text);
    await check("Do it", `Do it\n\n${told}`, {}, ["-c", text]);
    await check("Do it", `Do it\n\n${told}`, {}, [`--completion-response=${text}`]);
  });

  it("is told with the tag that counts (CB-01)", async () => {
    const told = paragraph.replaceAll("promise>", "response>");
    await check("Do it", `Do it\n\n${told}`, { completion: { signals: ["response"] } });
  });

  it("is not told when the settings say so", async () => {
    await check("Do it", "Do it", { completion: { instruction: false } });
  });

  it("comes with the iteration count, when wanted, as the first line (S1-40)", async () => {
    await check("Do it", `Iteration 1 of 1, 0 remaining.\n\nDo it\n\n${paragraph}`, {
      includeIterationCountInPrompt: true,
    });
  });
});

describe("an agent's surroundings", () => {
  /** A turn that writes down what it sees. */
  async function seen(project: ScratchProject, env: Record<string, string>): Promise<string[]> {
    project.claude("env > seen.txt\nclaim");
    expect((await project.run(["run", "-p", "Do it"], { env })).code).toBe(0);
    return readFileSync(join(project.directory, "seen.txt"), "utf8").split("\n");
  }

  it("name its run and turn, and hide that ralph itself runs inside an agent", async () => {
    const lines = await seen(openProject(), { CLAUDECODE: "1", MINE: "kept" });
    expect(lines.find((line) => line.startsWith("RALPH_RUN_ID="))).toMatch(/=\d{8}-\d{6}-\w{4}$/);
    expect(lines.find((line) => line.startsWith("RALPH_TURN="))).toMatch(/=\d{8}-\d{6}-\w{4}\.1$/);
    expect(lines).toContain("MINE=kept");
    expect(lines.filter((line) => line.startsWith("CLAUDECODE"))).toEqual([]);
  });

  it("hold only its own provider's key when several are set", async () => {
    const lines = await seen(openProject(), { ANTHROPIC_API_KEY: "fake-1", OPENAI_API_KEY: "fake-2" });
    expect(lines).toContain("ANTHROPIC_API_KEY=fake-1");
    expect(lines.filter((line) => line.includes("fake-2"))).toEqual([]);
  });

  it("are a process group of their own, so that a terminal's signals do not reach it (CW-1A)", async () => {
    const project = openProject();
    project.claude("touch begun\nwhile [ ! -e go ]; do sleep 0.02; done\nclaim");
    const started = project.start(["run", "-p", "Do it"]);
    await until(() => project.has("begun"), "the agent");
    // Seen from outside: in a PID namespace the agent has other numbers.
    const groupOf = (pid: number): string =>
      spawnSync("ps", ["-o", "pgid=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
    const groups = new Set(
      project
        .living()
        .map(groupOf)
        .filter((group) => group !== ""),
    );
    expect(groups.size).toBe(1);
    expect(groups).not.toContain(groupOf(started.pid));
    project.write("go", "");
    expect((await started.ended).code).toBe(0);
  });
});
