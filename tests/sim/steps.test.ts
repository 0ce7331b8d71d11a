import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventsOf, mainText, readStream, spokenAdapters } from "./adapter-events.ts";
import { openSimFolder, type SimFolder, waitForOutput } from "./sim-process.ts";
import { eventually } from "../run/scratch-project.ts";

const [adapter] = spokenAdapters;

async function play(steps: string, prompt = "Go") {
  const folder = openSimFolder(`turns: [[${steps}]]`);
  const end = await folder.play({ prompt });
  return { ...end, folder, read: readStream(adapter, end.stdout) };
}

async function sayNext(folder: SimFolder, prompt = "Go", env: Record<string, string> = {}): Promise<string> {
  return (await folder.play({ args: ["--format", "text"], prompt, env })).stdout.trim();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}

describe("words", () => {
  it.each([
    ["claim", "<promise>DONE</promise>"],
    ["claim: FINISHED", "<promise>FINISHED</promise>"],
    ["claim: { text: OK, tag: response }", "<response>OK</response>"],
    ["lie", "<promise>DONE</promise>"],
    ["block: no access", "<promise>BLOCKED: no access</promise>"],
    ["decide: 'A or B?'", "<promise>DECIDE: A or B?</promise>"],
    ["say: plain words", "plain words"],
  ])("%s says %s on a line of its own", async (step, words) => {
    const { read, code } = await play(step.includes(":") ? `{ ${step} }` : step);
    expect(mainText(read)).toBe(words);
    expect(code).toBe(0);
  });

  it("mention writes the tag inside a sentence", async () => {
    const { read } = await play("mention");
    expect(mainText(read)).toMatch(/^I will .*<promise>DONE<\/promise> .*\.$/);
  });

  it("think is not said aloud", async () => {
    const { read } = await play("{ think: '<promise>DONE</promise>' }");
    expect(mainText(read)).toBe("");
    expect(eventsOf(read, "thinking")).toHaveLength(1);
  });

  it("a turn ends by itself with a successful result that repeats the last words", async () => {
    const { read } = await play("{ say: one }, { say: two }");
    expect(eventsOf(read, "result")).toMatchObject([{ isSuccess: true, text: "two" }]);
  });
});

describe("work", () => {
  it("edit and run change the real work tree and show their output and exit code", async () => {
    const { read, folder } = await play(
      "{ edit: a/b.txt, content: hello }, { run: 'cat a/b.txt; echo x > c; exit 4' }",
    );
    expect(readFileSync(join(folder.cwd, "a/b.txt"), "utf8")).toBe("hello");
    expect(existsSync(join(folder.cwd, "c"))).toBe(true);
    const ended = eventsOf(read, "tool-ended");
    expect(ended.map((event) => event.isError)).toEqual([false, true]);
    expect(ended[1]?.output).toBe("Exit code 4\nhello");
  });

  it("an edit whose text is not there is a failed tool and changes nothing", async () => {
    const { read, folder, code } = await play("{ edit: a.txt, content: one }, { edit: a.txt, find: two, replace: '' }");
    expect(eventsOf(read, "tool-ended").map((event) => event.isError)).toEqual([false, true]);
    expect(readFileSync(join(folder.cwd, "a.txt"), "utf8")).toBe("one");
    expect(code).toBe(0);
  });

  it("replaces literally, whatever the replacement looks like", async () => {
    const { folder } = await play("{ edit: a.txt, content: 'x' }, { edit: a.txt, find: x, replace: '$& $1' }");
    expect(readFileSync(join(folder.cwd, "a.txt"), "utf8")).toBe("$& $1");
  });
});

describe("endings", () => {
  it("result is told when the script says so, and once more when words follow", async () => {
    const { read } = await play("{ say: one }, { result: early }, { say: two }");
    expect(eventsOf(read, "result").map((event) => event.text)).toEqual(["early", "two"]);
  });

  it("exit sets the exit code and keeps the result", async () => {
    const { code, read } = await play("{ exit: 7 }, { say: ok }");
    expect(code).toBe(7);
    expect(eventsOf(read, "result")).toMatchObject([{ isSuccess: true }]);
  });

  it("crash ends before a result, with a code", async () => {
    const { code, read } = await play("{ say: oh }, { crash: 9 }, { say: never }");
    expect(code).toBe(9);
    expect(mainText(read)).toBe("oh");
    expect(eventsOf(read, "result")).toEqual([]);
  });

  it("crash ends by a signal", async () => {
    const { signal, stdout } = await openSimFolder("turns: [[{ say: oh }, { crash: SIGKILL }]]").run();
    expect(signal).toBe("SIGKILL");
    expect(stdout).toContain("oh");
  });

  it("hang never ends until killed, and settles what was said", async () => {
    const { child, ended } = openSimFolder("turns: [[{ say: here }, { hang: { until: killed } }]]").start();
    await waitForOutput(child, "here");
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: null, signal: "SIGTERM" });
  });

  it("ignore-sigterm survives SIGTERM and falls to SIGKILL", async () => {
    const script = "turns: [[ignore-sigterm, { say: first }, { run: 'kill -TERM $PPID' }, { say: second }, hang]]";
    const { child, ended } = openSimFolder(script).start();
    await waitForOutput(child, "second");
    child.kill("SIGKILL");
    expect(await ended).toMatchObject({ signal: "SIGKILL" });
  });

  it("linger stays alive after the result", async () => {
    const { child, ended } = openSimFolder("turns: [[linger, { say: ok }]]").start();
    await waitForOutput(child, '"type":"result"');
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ signal: "SIGTERM" });
  });

  it("linger for a time ends by itself, as wait does", async () => {
    const { code, read } = await play("{ wait: 1ms }, { linger: 1 }, { say: ok }");
    expect(code).toBe(0);
    expect(mainText(read)).toBe("ok");
  });

  it("close-stdout ends the stream while the process lives on", async () => {
    const { child, ended } = openSimFolder("turns: [[{ say: bye }, close-stdout, { say: lost }, hang]]").start();
    await new Promise((resolve) => child.stdout?.on("end", resolve));
    expect(child.exitCode).toBeNull();
    expect(isAlive(child.pid ?? 0)).toBe(true);
    child.kill("SIGKILL");
    const { stdout } = await ended;
    expect(stdout).toContain("bye");
    expect(stdout).not.toContain("lost");
  });
});

describe("child", () => {
  it.each([
    ["child", { isLeader: false, ignoresTerm: false }],
    ["{ child: 600, setsid: true, ignoreTerm: true }", { isLeader: true, ignoresTerm: true }],
  ])("%s leaves a process running after the turn", async (step, expected) => {
    const { stdout, code } = await openSimFolder(`turns: [[${step}]]`).run();
    const pid = Number(/pid (\d+)/.exec(stdout)?.[1]);
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, "SIGKILL");
    });
    expect(code).toBe(0);
    expect(isAlive(pid)).toBe(true);
    if (process.platform !== "linux") return;
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const session = Number(status.slice(status.lastIndexOf(")")).split(" ")[4]);
    expect(session === pid).toBe(expected.isLeader);
    // It says so with its first command, a moment after it began.
    await eventually(() => {
      const ignored = /SigIgn:\s*([0-9a-f]+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
      // Bit 15 counted from 1 is SIGTERM.
      expect((BigInt(`0x${ignored}`) & (1n << 14n)) !== 0n).toBe(expected.ignoresTerm);
    });
  });
});

describe("flood", () => {
  it("floods standard output as text of one message", async () => {
    const { read } = await play("{ flood: 200KB }");
    expect(mainText(read)).toHaveLength(200_000);
    expect(read.brokenLines).toEqual([]);
  });

  it("floods standard error, and standard output by one endless line", async () => {
    const { stderr, read } = await play("{ flood: 100000, to: stderr }, { flood: 100KiB, to: one-line }, { say: ok }");
    expect(stderr).toHaveLength(100_001);
    expect(read.brokenLines.map((line) => line.length)).toEqual([102_400]);
    expect(mainText(read)).toBe("ok");
  });

  it("keeps its memory flat over 1 GB", async () => {
    const script = "turns: [[{ flood: 1GB }, { run: 'grep VmHWM /proc/$PPID/status' }]]";
    const { child } = openSimFolder(script).start({ args: ["--format", "codex"] });
    let bytes = 0;
    let tail = "";
    child.stdout?.removeAllListeners("data");
    child.stdout?.on("data", (chunk: string) => {
      bytes += chunk.length;
      tail = (tail + chunk).slice(-2000);
    });
    await new Promise((resolve) => child.on("close", resolve));
    expect(bytes).toBeGreaterThan(1e9);
    if (process.platform !== "linux") return;
    const peakKilobytes = Number(/VmHWM:\D*(\d+) kB/.exec(tail)?.[1]);
    expect(peakKilobytes).toBeLessThan(200_000);
  });
});

describe("which turn is played", () => {
  it("plays the next turn at each call and then repeats the last one", async () => {
    const folder = openSimFolder("turns: [[{ say: one }], [{ say: two }]]");
    expect([await sayNext(folder), await sayNext(folder), await sayNext(folder)]).toEqual(["one", "two", "two"]);
  });

  it("begins at turn 1 in each run", async () => {
    const folder = openSimFolder("turns: [[{ say: one }], [{ say: two }]]");
    const inRun = (id: string) => sayNext(folder, "Go", { RALPH_RUN_ID: id });
    expect([await inRun("a"), await inRun("a"), await inRun("b")]).toEqual(["one", "two", "one"]);
  });

  it.each([
    ["stop", "The script has no further turn."],
    ["claim", "<promise>DONE</promise>"],
  ])("after: %s says %s behind the last turn", async (after, words) => {
    const folder = openSimFolder(`after: ${after}\nturns: [[{ say: one }]]`);
    expect([await sayNext(folder), await sayNext(folder)]).toEqual(["one", words]);
  });

  it("plays the first turn whose when is in the prompt, which takes no number", async () => {
    const folder = openSimFolder("turns: [[{ say: one }], { when: FAILED, steps: [{ say: fixing }] }, [{ say: two }]]");
    expect([await sayNext(folder), await sayNext(folder, "2 FAILED"), await sayNext(folder)]).toEqual([
      "one",
      "fixing",
      "two",
    ]);
  });

  it("counts a turn that crashed", async () => {
    const folder = openSimFolder("turns: [[crash], [{ say: two }]]");
    await sayNext(folder);
    expect(await sayNext(folder)).toBe("two");
  });

  it("keeps its count out of the work tree, or where --state says", async () => {
    const folder = openSimFolder("turns: [[{ say: one }], [{ say: two }]]");
    await sayNext(folder);
    expect(readdirSync(folder.cwd)).toEqual([]);
    expect(readdirSync(folder.state)).toHaveLength(1);
    const { stdout } = await folder.play({ args: ["--format", "text", "--state", "here.turn"] });
    expect(stdout).toBe("one\n");
    expect(readdirSync(folder.cwd)).toEqual(["here.turn"]);
  });

  it("answers a text call with the last message and without taking a turn", async () => {
    const folder = openSimFolder(
      "answer: Fix the sum\nturns: [[{ say: one }], { when: judge, steps: [{ say: hm }, { claim: YES }] }]",
    );
    const ask = async (prompt: string) => (await folder.play({ args: ["--text"], prompt })).stdout;
    expect(await ask("Write a commit message")).toBe("Fix the sum\n");
    expect(await ask("You are a judge")).toBe("<promise>YES</promise>\n");
    expect(await sayNext(folder)).toBe("one");
  });

  it("takes the prompt from the last argument too", async () => {
    const folder = openSimFolder("turns: [[echo]]");
    const { stdout } = await folder.play({ args: ["--format", "text", "Fix it"], prompt: "not this" });
    expect(stdout).toBe("Fix it\n");
  });

  it("reports the price of a turn", async () => {
    const folder = openSimFolder("turns: [{ usd: 1.25, steps: [{ say: ok }] }]");
    const read = readStream(adapter, (await folder.play()).stdout);
    expect(eventsOf(read, "result").at(-1)?.spend?.usd).toBe(1.25);
  });
});
