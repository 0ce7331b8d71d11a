import { describe, expect, it } from "vitest";
import { openScene, verificationRunId } from "./open-verification.ts";

const answers = (text: string): string => `turns: [[claim]]\nanswer: ${JSON.stringify(text)}\n`;

describe("semantic verification", () => {
  it("asks a judge with outcome, criteria, changes and the agent's words, and counts what it spends (S2-24, S2-40, CW-2H)", async () => {
    const scene = openScene("semantic", { check_for: "{{acceptance_criteria}}" });
    scene.write("sign-in.ts", "export const signIn = 1;\n");
    scene.write(".env", "API_TOKEN=very-secret-value\n");
    const { verdict, spend } = await scene.verify("I have built it.\n<promise>WORK_DONE</promise>");
    expect(verdict).toMatchObject({ method: "semantic", isPassed: true, reason: "all criteria are met" });
    expect(spend.usd).toBeNull();
    const log = scene.read(verdict.logFile ?? "");
    for (const part of ["It works.", "- a works\n- b works", "+export const signIn = 1;", "I have built it."])
      expect(log).toContain(part);
    expect(log).not.toContain("very-secret-value");
    expect(log).toMatch(/VERIFIED: all criteria are met\n$/);
    expect(scene.evidence(verdict.evidence)).toBe(log);
  });

  it.each(["NOT_VERIFIED: all verified except x", "NOT_VERIFIED"])(
    "refuses the lie on %j (S2-24, R-67)",
    async (answer) => {
      const { verdict } = await openScene("semantic", {}, { judge: answers(answer) }).verify();
      expect(verdict.isPassed).toBe(false);
    },
  );

  it("asks again after garbage, and then the answer counts (CW-2J, R-67)", async () => {
    const judge = `turns:\n  - when: Your last answer was not\n    steps: [{ say: "VERIFIED: yes" }]\nanswer: Looks fine to me.\n`;
    const { verdict } = await openScene("semantic", {}, { judge }).verify();
    expect(verdict).toMatchObject({ isPassed: true, reason: "yes" });
  });

  it("waits 5 s, then 30 s between its tries, and says why (CW-2J)", async () => {
    const scene = openScene("semantic", {}, { judge: answers("It is VERIFIED, I think.") });
    const { verdicts, stop } = await scene.ask("criteria");
    expect([scene.waits, verdicts]).toEqual([[5000, 30_000], []]);
    const words = "The judge gave no usable answer in 3 tries; it said last: It is VERIFIED, I think.";
    expect(stop).toEqual({ name: "waiting", reason: `${words} Resume with: ralph resume ${verificationRunId}` });
    expect(scene.notes).toHaveLength(3);
    expect(scene.notes[0]).toContain("(try 1 of 3); it is asked again in 5 s. It said: It is VERIFIED, I think");
  });

  it("refuses the claim after trouble where the settings say so (CW-2J, R-67)", async () => {
    const settings = { verification: { onJudgeError: "reject", judge: { tries: 2 } } };
    const scene = openScene("semantic", {}, { judge: answers("It is VERIFIED, I think"), settings });
    const { verdict } = await scene.verify();
    expect(verdict).toMatchObject({
      isPassed: false,
      reason: "The judge gave no usable answer in 2 tries; it said last: It is VERIFIED, I think",
    });
    expect(verdict).not.toHaveProperty("isFallback");
    expect(scene.waits).toEqual([5000]);
  });

  it("lets the claim alone decide where the settings say so, visibly (S2-26)", async () => {
    const settings = { verification: { onJudgeError: "string_match", judge: { tries: 1 } } };
    const scene = openScene("semantic", {}, { judge: answers("Hm."), settings });
    const { verdict } = await scene.verify();
    expect(verdict).toMatchObject({ isPassed: true, isFallback: true, reason: "Promise found in output" });
    expect([scene.notes, scene.waits]).toEqual([[expect.stringContaining("it said last: Hm.")], []]);
  });

  it.each([
    ["{ fail: limit }", "sim: Scripted failure: the usage limit is reached"],
    ["{ fail: other, message: connect ECONNREFUSED }", "sim: connect ECONNREFUSED"],
    ["{ crash: SIGKILL }", "it was ended by a signal"],
    ["{ crash: 7 }", "it ended with exit code 7"],
  ])("asks again after %s, and waits when it stays so (CW-2J)", async (step, words) => {
    const judge = `turns:\n  - when: You verify\n    steps: [${step}]\n`;
    const scene = openScene("semantic", {}, { judge, settings: { verification: { judge: { tries: 2 } } } });
    const { verdicts, stop } = await scene.ask("criteria");
    expect([scene.waits, verdicts, stop?.name]).toEqual([[5000], [], "waiting"]);
    expect(stop?.reason).toContain(`in 2 tries; it said last: ${words}.`);
  });

  it.each([
    ["{ fail: authentication }", "sim: Scripted failure: the key was refused"],
    ["{ fail: model }", "sim: Scripted failure: there is no such model"],
  ])("ends at the first call after %s, whatever follows trouble (CW-2J)", async (step, words) => {
    const judge = `turns:\n  - when: You verify\n    steps: [${step}]\n`;
    const scene = openScene("semantic", {}, { judge, settings: { verification: { onJudgeError: "string_match" } } });
    const { verdicts, stop } = await scene.ask("criteria");
    expect([scene.waits, verdicts, stop?.name]).toEqual([[], [], "failed"]);
    expect(stop?.reason).toContain(`The judge cannot be asked: ${words}. See verification.judge.`);
  });

  it("does not begin a wait that the run's time does not allow", async () => {
    const scene = openScene(
      "semantic",
      {},
      { judge: answers("Hm."), settings: { verification: { onJudgeError: "reject" } } },
    );
    const { verdict } = await scene.verify(undefined, { wallMs: 4500 });
    expect([scene.waits, verdict.reason]).toEqual([[], "The judge gave no usable answer in 1 try; it said last: Hm"]);
  });

  it("is cut during a wait when it is told to end", async () => {
    const over = new AbortController();
    const scene = openScene("semantic", {}, { judge: answers("Hm.") });
    scene.waits.push = () => {
      over.abort();
      return 0;
    };
    expect(await scene.ask("criteria", over.signal)).toMatchObject({ isCut: true, verdicts: [], stop: null });
  });

  it("does not count a judge that changed the tree, whatever it answers (S2-26)", async () => {
    const judge = `turns:\n  - when: You verify\n    steps: [{ edit: { file: fix.txt, content: fixed } }, { say: "VERIFIED: I made it so" }]\n`;
    const settings = { verification: { onJudgeError: "string_match" } };
    const { verdict } = await openScene("semantic", {}, { judge, settings: { ...settings } }).verify();
    expect(verdict).toMatchObject({
      isPassed: false,
      reason: "The judge changed the work tree; its answer does not count",
    });
  });

  it("ends a judge that hangs (S2-26)", async () => {
    const judge = `turns:\n  - when: You verify\n    steps: [{ hang: killed }]\n`;
    const settings = { verification: { timeout: "1s", judge: { tries: 1 } } };
    const { stop } = await openScene("semantic", {}, { judge, settings }).ask("criteria");
    expect(stop?.reason).toContain("it said last: it did not answer in time (verification.timeout)");
  });

  it("judges by words alone where no model shall be asked (S2-25)", async () => {
    const settings = { verification: { judge: { mode: "words" } } };
    const scene = openScene("semantic", {}, { settings });
    expect((await scene.verify("A works.")).verdict).toMatchObject({
      isPassed: false,
      reason: "Criterion not evident: b works",
    });
    expect((await scene.verify("A works, B WORKS.")).verdict).toMatchObject({
      isPassed: true,
      reason: "All criteria appear met",
    });
  });
});

describe("negative patterns", () => {
  const judge = answers("VERIFIED: fine");
  const check = async (pattern: unknown, file: string, words: string, reason: string | null): Promise<void> => {
    const scene = openScene("semantic", { negative_patterns: [pattern] }, { judge });
    scene.write("a.ts", file);
    const { verdict } = await scene.verify(words);
    expect([verdict.isPassed, verdict.reason]).toEqual(reason === null ? [true, "fine"] : [false, reason]);
  };

  it.each([
    ["hardcoded", "", "It is HARDCODED.", "Found negative pattern: hardcoded"],
    ["/hard-?coded/i", "", "It is Hard-coded.", "Found negative pattern: /hard-?coded/i"],
    [
      { pattern: "console.log", scope: "diff" },
      "console.log(1)\n",
      "no console.log left",
      "Found negative pattern: console.log",
    ],
    [{ pattern: "console.log", scope: "diff" }, "ok\n", "no console.log left", null],
    [{ pattern: "/^\\+\\+ x$/m", scope: "diff" }, "++ x\n", "", "Found negative pattern: /^\\+\\+ x$/m"],
    [{ pattern: "secret", scope: "files" }, "A Secret\n", "", "Found negative pattern: secret"],
    ["/(a+)+$/", "", `${"a".repeat(60)}b`, "Negative pattern /(a+)+$/ took longer than 5s to look for"],
  ])("%j in a file %j with the words %j (S2-23, CW-2N)", (pattern, file, words, reason) =>
    check(pattern, file, words, reason),
  );

  it.each([
    ["an attribute", { ".gitattributes": "*.ts -diff\n", "a.ts": "console.log(1)\n" }],
    ["a NUL byte", { "a.ts": "// \u0000\nconsole.log(1)\n" }],
  ])("find what %s shall hide from a diff (CW-2N)", async (_, files) => {
    const config = { negative_patterns: [{ pattern: "console.log", scope: "diff" }] };
    const scene = openScene("semantic", config, { judge });
    for (const [path, content] of Object.entries(files)) scene.write(path, content);
    expect((await scene.verify()).verdict).toMatchObject({ reason: "Found negative pattern: console.log" });
  });

  it("refuse what cannot be searched (CW-2N)", async () => {
    const config = { negative_patterns: [{ pattern: "x", scope: "diff" }] };
    const { verdict } = await openScene("semantic", config, { judge, isGit: false }).verify();
    expect(verdict).toMatchObject({ isPassed: false, reason: expect.stringMatching(/^The diff cannot be searched/) });
  });
});
