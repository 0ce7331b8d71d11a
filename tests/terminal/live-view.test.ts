import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { displayWidth } from "../../src/surfaces/cli/terminal/display-width.ts";
import { eventually, launcher, openProject, type ScratchProject, until } from "../run/scratch-project.ts";
import { hasTmux, openTerminal, type Terminal } from "./open-terminal.ts";

const long = "x".repeat(200);
const wide = "漢字".repeat(60);

/** Two turns with everything the view shows; each stops in the middle until the test writes a file. */
const script = `
turns:
  - - say: "I read 漢字とかな, 👍🏽 and e\u0301."
    - todo:
        - { text: Read the code, status: done }
        - { text: "Fix 修正 🔧", status: active }
        - { text: Run the tests, status: pending }
    - run: "printf 'first\\\\n${wide}\\\\nthird\\\\n'"
    - run: "echo ${long}; exit 3"
    - deny: secret.txt
    - subagent: Reported below.
    - say: "\\e[2J\\e[1;1HIteration 9/9\\e]0;owned\\a"
    - run: "while [ ! -e go-1 ]; do sleep 0.05; done # ${long}"
    - lie
  - - edit: { file: ok.txt, content: yes }
    - run: "while [ ! -e go-2 ]; do sleep 0.05; done"
    - usage: 45000
      inputTokens: 350000
      cacheReadTokens: 850000
      outputTokens: 45000
      usd: 5.75
    - claim
`;

function environmentOf(project: ScratchProject): Record<string, string> {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(project.root, "home"),
    RALPH_STATE_HOME: join(project.root, "state"),
    RALPH_SIM_STATE: join(project.root, "sim-state"),
  };
}

function openRun(columns: number, words: string[] = []): { project: ScratchProject; terminal: Terminal } {
  const project = openProject();
  project.sim(script, { guardrails: [{ command: "test -e ok.txt", failAction: "APPEND" }], maximumIterations: 3 });
  const terminal = openTerminal({
    folder: project.root,
    cwd: project.directory,
    argv: [process.execPath, launcher, "run", "-p", "Do it", ...words],
    env: environmentOf(project),
    columns,
  });
  return { project, terminal };
}

const linesOf = (terminal: Terminal): string[] => terminal.screen().split("\n");
/** Only the status line begins like this: the cursor rests on its first cell. */
const statusLines = (terminal: Terminal): string[] => linesOf(terminal).filter((line) => /^ \S*Iteration/.test(line));

/** The status line once it says this; it is the last line, it is there once, and it has not been wrapped. */
async function statusWith(terminal: Terminal, pattern: RegExp, columns: number): Promise<string> {
  return eventually(() => {
    const line = linesOf(terminal).at(-1) ?? "";
    expect(line).toMatch(pattern);
    expect(statusLines(terminal)).toEqual([line]);
    expect(displayWidth(line)).toBeLessThan(columns);
    return line;
  });
}

describe.skipIf(!hasTmux)("the live view in a terminal (needs tmux)", () => {
  it.each([80, 140])(
    "of %d columns shows tools, todo list, checks and figures above the status line (S1-59, S1-74, S1-75, S1-76, S1-77)",
    async (columns) => {
      const { project, terminal } = openRun(columns);
      await statusWith(terminal, /^ Iteration 1\/3 · \d+s · .*Bash\(while \[ ! -e go-1.*…$/, columns);
      const middle = linesOf(terminal);
      const at = middle.indexOf("📋 Todo List");
      expect(middle.slice(at - 1, at + 5)).toEqual([
        "",
        "📋 Todo List",
        "  ✅ Read the code",
        "  🔄 Fix 修正 🔧 ← ACTIVE",
        "  ⏸️ Run the tests",
        "  📊 Progress: 1/3 (33%)",
      ]);
      const result = middle.indexOf("✅ Result ← Bash (3 lines, 132 chars)");
      expect(middle.slice(result + 1, result + 4)).toEqual([
        "  ⎿  first",
        expect.stringMatching(/^ {5}(?:漢字)+漢?…$/),
        "     third",
      ]);
      const failed = middle.indexOf("❌ Error ← Bash (2 lines, 212 chars)");
      expect(middle.slice(failed + 1, failed + 3)).toEqual(["  ⎿  Exit code 3", expect.stringMatching(/^ {5}x+…$/)]);
      expect(middle).toContain("| I read 漢字とかな, 👍🏽 and e\u0301.");
      expect(middle.filter((line) => line.startsWith("🚫 Denied ← Write ("))).toHaveLength(1);
      expect(middle).toContain("    Reported below.");
      // What the agent wanted the terminal to do was left out of what it said.
      expect(middle).toContain("| Iteration 9/9");
      expect(middle).not.toContain("Iteration 9/9");
      expect(middle.slice(2, 4)).toEqual([expect.stringMatching(/^ {2}Outside git: /), "Iteration 1/3"]);
      project.write("go-1", "");
      await statusWith(terminal, /^ Iteration 2\/3 · .*Bash\(while \[ ! -e go-2/, columns);
      project.write("go-2", "");
      expect(await terminal.exitCode()).toBe(0);
      expect(statusLines(terminal)).toEqual([]);
      const joined = linesOf(terminal).join("").replaceAll(/\s+/g, " ");
      expect(joined).toMatch(/guardrail failed \(exit code 1, [\d.]+s\), APPEND: test -e ok\.txt/);
      expect(joined).toMatch(/guardrail passed \([\d.]+s\): test -e ok\.txt/);
      const figures = joined.slice(joined.indexOf("✅ Complete ("));
      expect(figures.replaceAll(" ", "")).toMatch(
        /^✅Complete\(cost:\$5\.76,tokens:1\.2Min\(850Kcached\)\/45Kout,tools:8,errors:1,time:[\dms.]+\)completed:Claimaccepted/,
      );
    },
  );

  it("answers Ctrl-C on lines of its own, below an unfinished line of the agent", async () => {
    const project = openProject();
    project.plainAgent("printf hi; while [ ! -e go ]; do sleep 0.05; done");
    const argv = [process.execPath, launcher, "run", "-p", "Do it"];
    const env = environmentOf(project);
    const terminal = openTerminal({ folder: project.root, cwd: project.directory, argv, env, columns: 80 });
    await eventually(() => expect(linesOf(terminal)).toContain("| hi"));
    terminal.press("C-c");
    await eventually(() => expect(terminal.screen()).toContain("again to end it now."));
    const at = linesOf(terminal).indexOf("| hi");
    expect(linesOf(terminal).slice(at + 1, at + 3)).toEqual([
      "Received signal, shutting down...",
      "  The current operation finishes first. Press Ctrl-C again to end it now.",
    ]);
    project.write("go", "");
    expect(await terminal.exitCode()).toBe(130);
    expect(terminal.screen()).not.toContain("asked to");
  });

  it("keeps one unbroken status line when it is made narrower in the middle of a turn (S1-77)", async () => {
    const { project, terminal } = openRun(140);
    const before = await statusWith(terminal, /Bash\(while \[ ! -e go-1.*…$/, 140);
    expect(displayWidth(before)).toBeGreaterThan(100);
    terminal.resize(80);
    await statusWith(terminal, /Bash\(while \[ ! -e go-1.*…$/, 80);
    project.write("go-1", "");
    await statusWith(terminal, /^ Iteration 2\/3 · .*Bash\(while \[ ! -e go-2/, 80);
    expect(terminal.screen()).toContain("  guardrail: test -e ok.txt\n  guardrail failed");
    project.write("go-2", "");
    expect(await terminal.exitCode()).toBe(0);
    expect(statusLines(terminal)).toEqual([]);
  });

  it("shows the time, text for marks and fewer lines when asked (S1-77)", async () => {
    const { project, terminal } = openRun(100, ["--timestamps", "--marks", "text", "--max-output-lines", "1"]);
    project.write("go-1", "");
    project.write("go-2", "");
    expect(await terminal.exitCode()).toBe(0);
    const own = linesOf(terminal).filter((line) => !/^\[\d\d:\d\d:\d\d\] /.test(line));
    // Only what the terminal had to break has no time, and everything is plain text but the agent's own words.
    expect(own.filter((line) => /\[OK\]|\[ERR\]|Iteration|guardrail:/.test(line))).toEqual([]);
    expect(terminal.screen()).toMatch(
      /\] \[OK\] Result <- Bash \(3 lines, 132 chars\)\n\[[\d:]+\] {3}\| {2}first\n\[[\d:]+\] {3}\| {2}\.\.\. 2 more lines\n/,
    );
    expect(terminal.screen()).not.toContain("✅");
  });

  it("says only how the run starts and ends when it shall be quiet (S1-77)", async () => {
    const { project, terminal } = openRun(100, ["--quiet"]);
    project.write("go-1", "");
    project.write("go-2", "");
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.screen()).toMatch(
      /^unsandboxed: .+\nRun \S+ starts, unguarded: ralph show \S+\ncompleted: Claim accepted in iteration 2: .+ green\.$/,
    );
  });

  it("does not hold up the run when the terminal is stopped, and shows all of it later (S1-42)", async () => {
    const { project, terminal } = openRun(100);
    await statusWith(terminal, /go-1/, 100);
    terminal.press("C-s");
    project.write("go-1", "");
    project.write("go-2", "");
    await eventually(async () => {
      const { runs } = await project.json(["status"]);
      expect(runs).toMatchObject([{ outcome: "completed" }]);
    });
    expect(terminal.screen()).not.toContain("completed: Claim accepted");
    terminal.press("C-q");
    expect(await terminal.exitCode()).toBe(0);
    expect(terminal.screen()).toContain("completed: Claim accepted in iteration 2");
    expect(statusLines(terminal)).toEqual([]);
  });
});

describe("the live view in pipes", () => {
  it("has no colours and no status line, and each output is its own (CB-18, S1-77)", async () => {
    const project = openProject();
    project.sim("turns: [[{ say: Hello }, { run: echo hi }, claim]]");
    const { stdout, stderr, code } = await project.run(["run", "-p", "Do it"], { env: { LANG: "C.UTF-8" } });
    expect(code).toBe(0);
    expect(stdout).toBe(
      "Hello\n⏺ Bash(echo hi)\n✅ Result ← Bash (1 line, 2 chars)\n  ⎿  hi\n<promise>DONE</promise>\n",
    );
    expect(stdout + stderr).not.toContain("\u001B");
    expect(stderr).toMatch(
      /^unsandboxed: .*\nRun .*\n {2}No check is configured: .*\nIteration 1\/10\n {2}turn ended, .*\n\n✅ Complete \(.*\)\ncompleted, unverified: .*\n$/,
    );
  });

  it("is what `logs -f` shows of the run, in its order (S1-42, S1-59, S1-74)", async () => {
    const project = openProject();
    const todo = [
      { text: "Read", status: "done" },
      { text: "Fix", status: "active" },
    ];
    const first = [{ say: "Hello" }, { todo }, { run: "echo hi" }, "lie"];
    const turns = [first, [{ edit: { file: "ok.txt", content: "yes" } }, "claim"]];
    const command = "test -e ok.txt || { echo missing; exit 3; }";
    project.sim(JSON.stringify({ turns }), { guardrails: [{ command, failAction: "APPEND" }] });
    const env = { LANG: "C.UTF-8" };
    const live = await project.run(["run", "-p", "Do it"], { env });
    const logs = await project.run(["logs", "-f"], { env });
    expect([live.code, logs.code, logs.stderr]).toEqual([0, 0, ""]);
    const shown = logs.stdout.split("\n");
    const ownLines = live.stderr.split("\n").slice(2);
    const own = ownLines.filter((line) => line !== "");
    expect(shown.filter((line) => own.includes(line))).toEqual(own);
    const words = live.stdout.split("\n").filter((line) => line !== "");
    const bare = shown.map((line) => line.replace(/^\| /, ""));
    expect(bare.filter((line) => words.includes(line))).toEqual(words);
    const order = ["| Hello", "📋 Todo List", "⏺ Bash(echo hi)", "    ⎿  missing", "Iteration 2/10"];
    expect(shown.filter((line) => order.includes(line))).toEqual(order);
    const plain = await project.run(["logs", "-f", "--marks", "text", "--timestamps", "--max-output-lines", "0"], {
      env,
    });
    expect(plain.stdout).toMatch(
      /^\[[\d:]{8}\] \[TOOL\] Bash\(echo hi\)\n\[[\d:]{8}\] \[OK\] Result <- Bash .*\n\[[\d:]{8}\] \| /m,
    );
  });

  it("has colours when they are forced, but still no status line (S1-77)", async () => {
    const project = openProject();
    project.sim("turns: [[claim]]");
    const { stderr } = await project.run(["run", "-p", "Do it"], { env: { FORCE_COLOR: "1" } });
    expect(stderr).toContain("\u001B[1mIteration 1/10\u001B[22m\n");
    expect(stderr).not.toContain("\u001B[?");
  });

  it("does not hold up the run when nobody reads, and says what it left out (S1-42)", async () => {
    const project = openProject();
    project.sim("turns: [[{ flood: 40MB }, claim]]");
    const child = spawn(process.execPath, [launcher, "run", "-p", "Do it"], {
      cwd: project.directory,
      env: environmentOf(project),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    onTestFinished(() => void child.kill("SIGKILL"));
    await eventually(async () => {
      const { runs } = await project.json(["status"]);
      expect(runs).toMatchObject([{ outcome: "completed" }]);
    });
    let length = 0;
    let last = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      length += text.length;
      last = (last + text).slice(-200);
    });
    expect(await ended).toBe(0);
    expect(length).toBeLessThan(20_000_000);
    expect(last).toMatch(/\n\.\.\. [\d.]+M characters not shown: the display cannot keep up\n$/);
  });

  it("goes on without a reader that went away (S1-42)", async () => {
    const project = openProject();
    project.sim("turns: [[{ flood: 5MB }, claim]]");
    const child = spawn(process.execPath, [launcher, "run", "-p", "Do it"], {
      cwd: project.directory,
      env: environmentOf(project),
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdout.once("data", () => child.stdout.destroy());
    expect(await ended).toBe(0);
    await until(() => project.living().length === 0, "the end of its processes");
  });
});
