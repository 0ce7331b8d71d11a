import { describe, expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

const claimed = 0;
const notClaimed = 1;

/** Runs one iteration of an agent that says the given texts, each as a message of its own. */
async function check(texts: string[], expected: number, settings: Record<string, unknown> = {}): Promise<void> {
  const project = openProject();
  const lines = texts.map(
    (text) =>
      `say '${JSON.stringify(text)
        .slice(1, -1)
        .replaceAll("'", String.raw`'\''`)}'`,
  );
  project.claude(lines.join("\n"), { maximumIterations: 1, ...settings });
  const { code, stderr } = await project.run(["run", "-p", "Do it"]);
  expect(stderr).toMatch(expected === claimed ? /^completed, unverified:/m : /^exhausted:/m);
  expect(code).toBe(expected);
}

describe("what counts as a claim", () => {
  it.each([
    ["the tag on a line of its own", ["Ready.\n<promise>DONE</promise>"]],
    ["the tag behind a sentence", ["All done. <promise>DONE</promise>"]],
    ["the tag behind a short label", ["Status: <promise>DONE</promise>"]],
    ["other letters and white space (R-11)", ["<Promise>\n  done\n</PROMISE>"]],
    ["a response tag (S1-48, S1-49, CB-01)", ["<response>\nDONE\n</response>"]],
    ["a claim followed by more messages (R-05)", ["<promise>DONE</promise>", "Bye.", "See you."]],
    ["a mention before the claim (R-13)", ["I output <promise>DONE</promise> later.", "<promise>DONE</promise>"]],
  ])("%s", async (_, texts) => check(texts, claimed));

  it.each([
    ["no tag (R-03, R-15)", ["The task is done. DONE"]],
    ["a mention in a sentence (R-13)", ["I will not output <promise>DONE</promise> yet"]],
    ["another text", ["<promise>DONE soon</promise>"]],
    ["a tag in back-ticks among words", ["The tag is `<promise>DONE</promise>`"]],
    ["a quoted tag", ["> <promise>DONE</promise>"]],
    [
      "a response that says otherwise first (R-12, S1-50, CB-04)",
      ["<response>NOT YET</response> .. <response>DONE</response>"],
    ],
    ["a response that says otherwise beside a promise (CB-04)", ["<response>NO</response>\n<promise>DONE</promise>"]],
  ])("but not %s", async (_, texts) => check(texts, notClaimed));

  it("a mention counts with placement anywhere (R-13)", async () => {
    await check(["I will not output <promise>DONE</promise> yet"], claimed, { completion: { placement: "anywhere" } });
  });

  it("a sentence before the tag does not count with placement own-line (R-13)", async () => {
    await check(["All done. <promise>DONE</promise>"], notClaimed, { completion: { placement: "own-line" } });
  });

  it("only the tags asked for count (CB-01)", async () => {
    await check(["<promise>DONE</promise>"], notClaimed, { completion: { signals: ["response"] } });
    await check(["<response>DONE</response>"], notClaimed, { completion: { signals: ["promise"] } });
  });

  it("a text of regular-expression signs, quotes and spaces is matched literally (R-10, R-51)", async () => {
    const text = `It's .* (done) [100%] $& "äöü"`;
    await check([`<promise>${text}</promise>`], claimed, { completionResponse: text });
    await check(['<promise>It\'s anything (done) [100%] $& "äöü"</promise>'], notClaimed, { completionResponse: text });
  });
});

describe("what an agent's stream may hold", () => {
  it.each([
    ["thinking", "- think: <promise>DONE</promise>"],
    ["a command's output", `- run: echo "<promise>DONE</promise>"`],
    ["a sub-agent's words", "- subagent: <promise>DONE</promise>"],
    ["the echo of the prompt", "- echo"],
    ["a file it writes", `- edit: { file: a.txt, content: "<promise>DONE</promise>" }`],
  ])("no claim in %s (R-01, R-02)", async (_, step) => {
    for (const format of ["claude", "codex", "opencode", "amp"]) {
      const project = openProject();
      const flags = ["--script", `${project.root}/sim.yaml`, "--format", format];
      project.sim(`turns:\n  - [${step.slice(2)}]\n`.replace(`[${step.slice(2)}]`, `\n    ${step}`), {
        agent: { flags },
        maximumIterations: 1,
      });
      const { code } = await project.run(["run", "-p", "Say <promise>DONE</promise>"]);
      expect([format, code]).toEqual([format, notClaimed]);
    }
  });

  it("a tag split over blocks and pieces is found, around broken and unknown lines (R-06, R-07, S1-73)", async () => {
    const project = openProject();
    const steps = ['garbage: \'{"type": "assist\'', "unknown", "claim: { text: DONE, chunks: 7 }", "garbage: '\u0001'"];
    project.sim(`turns:\n  -${steps.map((step) => `\n    - ${step}`).join("")}\n`);
    const { code } = await project.run(["run", "-p", "Do it", "-m", "1"]);
    expect(code).toBe(claimed);
    expect(await project.json(["show"])).toMatchObject({ iterations: [{ turn: { output: { unparsedLines: 3 } } }] });
  });
});

describe("a plain program", () => {
  it("that repeats its prompt has claimed nothing (R-01)", async () => {
    const project = openProject();
    project.plainAgent('printf "%s\\n" "Prompt:" "$prompt"', { maximumIterations: 1 });
    const prompt = "Work, then say\n<promise>DONE</promise>\n";
    expect((await project.run(["run", "-p", prompt])).code).toBe(notClaimed);
    expect(project.prompts()).toEqual([prompt]);
  });

  it("that repeats its prompt and then claims has claimed (R-01)", async () => {
    const project = openProject();
    project.plainAgent('printf "%s\\n" "$prompt"\nclaim', { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Say\n<promise>DONE</promise>\nat the end"])).code).toBe(claimed);
  });

  it("may print in colour", async () => {
    const project = openProject();
    project.plainAgent(String.raw`printf '\033[1;32m<promise>\033[0mDONE</promise>\033[0m\n'`, {
      maximumIterations: 1,
    });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
  });

  it("that floods standard error, or closes its output and lives on, is waited for (R-85)", async () => {
    const project = openProject();
    const flood = "yes | head -c 3000000 >&2";
    project.plainAgent(`${flood}\nclaim\nexec >&- 2>&-\nsleep 0.3\ntouch after`, { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
    expect(project.has("after")).toBe(true);
  });
});

describe("a failed turn never completes", () => {
  it("when the program fails after its claim (R-18, CB-05)", async () => {
    const project = openProject();
    project.plainAgent("claim\nexit 3", { maximumIterations: 2 });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(stderr).toContain("turn failed with exit code 3");
    expect(code).toBe(notClaimed);
  });

  it("when the program dies by a signal (R-18)", async () => {
    const project = openProject();
    project.plainAgent("claim\nkill -9 $$", { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(notClaimed);
  });

  it("when the result says so, whatever the exit code (R-18)", async () => {
    const project = openProject();
    project.claude("claim\nresult true\nexit 0", { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(notClaimed);
  });

  it("when it says it is blocked: the run goes on (R-18)", async () => {
    const project = openProject();
    project.plainAgent("echo '<promise>BLOCKED: no</promise>'\nexit 1", { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(notClaimed);
  });

  it("but a successful result outweighs the exit code (CB-05)", async () => {
    const project = openProject();
    project.claude("claim\nresult false\nexit 9", { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
  });
});

describe("a refused claim", () => {
  it("is answered with why, until it is true (S1-44, R-14)", async () => {
    const project = openProject();
    const guardrails = [{ command: "test -e work.txt", failAction: "APPEND", hint: "Create work.txt." }];
    project.claude("case $n in 3) touch work.txt;; esac\nclaim", { guardrails });
    const { code, stderr } = await project.run(["run", "-p", "Do it"]);
    expect(code).toBe(claimed);
    expect(stderr.match(/claim refused: test -e work\.txt failed/g)).toHaveLength(2);
    expect(project.prompts()).toHaveLength(3);
    expect(project.prompts()[1]).toContain("Hint: Create work.txt.");
  });

  it("with another text is named in the next prompt, green guardrails or not (R-14)", async () => {
    const project = openProject();
    const settings = { guardrails: [{ command: "true", failAction: "APPEND" }], completion: { instruction: false } };
    project.claude("case $n in 1) say '<promise>FINISHED</promise>';; *) claim;; esac", settings);
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
    expect(project.prompts()).toEqual(["Do it", "Do it\n\nWrong promise 'FINISHED', expected 'DONE'."]);
  });

  it("that was only a mention is named in the next prompt (R-13)", async () => {
    const project = openProject();
    const note =
      "The completion tag was mentioned but not claimed: output it on a line of its own when everything is done.";
    project.claude("case $n in 1) say 'Then I say <promise>DONE</promise> to you';; *) claim;; esac", {
      completion: { instruction: false },
    });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
    expect(project.prompts()).toEqual(["Do it", `Do it\n\n${note}`]);
  });

  it("without any change is named, when progress is required (R-16)", async () => {
    const project = openProject({ isGit: true });
    const completion = { instruction: false, requireProgress: true };
    project.claude("case $n in 3) echo work > work.txt;; esac\nclaim", { completion });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
    const [first, second, third] = project.prompts();
    expect(first).toBe("Do it");
    expect(second).toBe(
      "Do it\n\nThe claim was refused: nothing has changed since the run began (setting completion.requireProgress). Do the work first, then claim.",
    );
    expect(third).toBe(second);
    expect(project.prompts()).toHaveLength(3);
  });

  it("without any change is refused by default where no check is configured, and accepted where one is (R-16)", async () => {
    const project = openProject({ isGit: true });
    const byDefault = { completion: { requireProgress: null }, maximumIterations: 1 };
    project.claude("claim", byDefault);
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(notClaimed);
    project.claude("claim", { ...byDefault, guardrails: [{ command: "true", failAction: "APPEND" }] });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
  });

  it("is no check for a criterion that only asks for it: requireChecks refuses it, and it needs a change (R-16)", async () => {
    const project = openProject({ isGit: true });
    const coder = { promise: "READY", verification_method: "string_match", verification_config: {} };
    const document = { outcome: "It works.", acceptance_criteria: ["it works"], coder };
    project.write("ralph/criteria.yaml", JSON.stringify(document));
    const completion = { requireProgress: null };
    project.claude("claim", { completion: { ...completion, requireChecks: true } });
    const refused = await project.run(["run", "-p", "Do it"]);
    expect(refused.stderr).toContain("No check is configured, and completion.requireChecks is true.");
    expect(refused.stderr).toContain("Met by the claim alone, as string_match is: ralph/criteria.yaml coder.");
    expect([refused.code, project.prompts()]).toEqual([2, []]);
    project.claude("claim", { completion, maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(notClaimed);
    project.claude("echo work > work.txt; claim", { completion, maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
    expect(await project.json(["show"])).toMatchObject({ outcome: "completed", isVerified: false });
  });

  it("after nothing but an empty commit is a claim without any change (R-16)", async () => {
    const project = openProject({ isGit: true });
    project.claude("git commit --quiet --allow-empty --message empty\nclaim", {
      completion: { requireProgress: null },
      maximumIterations: 1,
    });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(notClaimed);
  });

  it("of an earlier run does not count for a later one (R-04, R-45)", async () => {
    const project = openProject();
    project.claude("case $n in 1) claim;; *) say Hm.;; esac", { maximumIterations: 1 });
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(claimed);
    expect((await project.run(["run", "-p", "Do it"])).code).toBe(notClaimed);
  });
});
