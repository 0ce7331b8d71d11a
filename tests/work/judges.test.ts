import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../src/core/run/outcome.ts";
import { completion, onWord, openWork, type WorkProject } from "./open-work.ts";

const semantic = (promise: string): Record<string, unknown> => ({
  promise,
  verification_method: "semantic",
  verification_config: {},
  max_iterations: 1,
});

/** A project whose coder claims at once and is judged by a program of its own. */
async function openJudged(settings: Record<string, unknown> = {}, criteria: Record<string, unknown> = {}) {
  const work = openWork();
  const judge = program(work, "judge", '. "$0.says"');
  const verification = { judge: { agent: judge, tries: 1 }, ...settings };
  work.worker('echo x > "$task.txt"; claim', { work: { roles: ["coder", "reviewer"] }, verification });
  await work.tasks({
    id: "one",
    completion: completion({ coder: semantic("CODED"), reviewer: onWord("REVIEWED"), ...criteria }),
  });
  return { work, says: (body: string) => writeFileSync(`${judge}.says`, `${body}\n`) };
}

function program(work: WorkProject, name: string, body: string): string {
  const path = join(work.root, "agents", name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  return path;
}

const refused = "echo 'Invalid API key: please run /login' >&2; exit 1";

describe("a judge that could not be asked", () => {
  it.each([
    ["is not there", (): string => "no-such-judge", "no-such-judge was not found."],
    [
      "does not even tell its version",
      (work: WorkProject): string => program(work, "claude", "exit 3"),
      "does not work: --version exited with code 3.",
    ],
    [
      "has no login",
      (work: WorkProject): string => program(work, "amp", "echo 1.0.0"),
      "has no login: AMP_API_KEY is not set",
    ],
  ])("ends a work run with 2 before its first turn when it %s (CW-2J)", async (_, judgeOf, problem) => {
    const { work } = await openJudged();
    const agent = judgeOf(work);
    // A stage of a later role counts as well.
    const staged = { stages: [{ name: "read", method: "semantic" }] };
    const reviewer = { promise: "REVIEWED", verification_method: "multi_stage", verification_config: staged };
    await work.tasks({ id: "two", completion: completion({ coder: onWord("CODED"), reviewer }) });
    work.worker("claim", { work: { roles: ["coder", "reviewer"] }, verification: { judge: { agent } } });
    const { code, stderr } = await work.run(["work", "two"]);
    expect(stderr).toContain(problem);
    expect(stderr).toContain(`name another program in verification.judge.agent (now ${agent})`);
    expect(code).toBe(2);
    expect([work.promptsOf("two", "coder"), await work.works()]).toEqual([[], []]);
  });

  it("is not needed where words alone are looked for", async () => {
    const { work } = await openJudged({ judge: { agent: "no-such-judge", mode: "words" } });
    work.worker("echo It works; claim", {
      work: { roles: ["coder"] },
      verification: { judge: { agent: "no-such-judge", mode: "words" } },
    });
    expect((await work.run(["work"])).code).toBe(0);
  });
});

describe("a judge in trouble", () => {
  it.each([
    [
      "2, when its key is refused",
      refused,

      "failed" as const,
      "The judge cannot be asked: Invalid API key: please run /login.",
    ],
    [
      "3, when it gives no answer",
      "echo Hm",

      "waiting" as const,
      "The judge gave no usable answer in 1 try; it said last: Hm.",
    ],
    ["3, when its program crashes", "exit 9", "waiting" as const, "in 1 try; it said last: it ended with exit code 9."],
  ])("ends the work with %s; a resume asks it again without another turn (CW-2J)", async (_, body, outcome, reason) => {
    const { work, says } = await openJudged();
    says(body);
    const { code, stderr } = await work.run(["work"]);
    expect(stderr).toContain(reason);
    expect(code).toBe(exitCodes[outcome]);
    expect(await work.standing()).toEqual({ one: "ready coder 1, 1 iterations" });
    const [{ children: [role] = [] } = {}] = await work.works();
    expect(role).toMatchObject({ outcome, iteration: 1 });
    expect(stderr).toContain(`ralph resume ${role?.id}`);
    says("printf 'Well:\\n**VERIFIED**: it works\\n'");
    expect((await work.run(["resume"])).code).toBe(0);
    expect(await work.standing()).toEqual({ one: "done reviewer 1, 2 iterations" });
    expect(work.promptsOf("one", "coder")).toHaveLength(1);
  });

  it("sends nothing back to the coder: no round is lost (CW-2J)", async () => {
    const { work, says } = await openJudged({}, { coder: onWord("CODED"), reviewer: semantic("REVIEWED") });
    says("echo Hm");
    expect((await work.run(["work"])).code).toBe(3);
    expect(await work.standing()).toEqual({ one: "ready reviewer 1, 2 iterations" });
    says("echo NOT_VERIFIED: it is not done; exit 0");
    const again = await work.run(["resume"]);
    // Its refusal counts as ever: the one iteration of the reviewer is used, and the coder gets it back.
    expect(again.stderr).toContain("it is not done");
    expect(work.promptsOf("one", "coder").length).toBeGreaterThan(1);
  });

  it("is shown with what it said, refusing or not (S2-24)", async () => {
    const { work, says } = await openJudged();
    says("printf 'VERIFIED: it works,\\nRun 1 in /etc \\033[31mred\\n'");
    expect((await work.run(["work"])).code).toBe(0);
    const whole = (await work.run(["show"])).stdout;
    const [, coder = ""] = /coder, round 1 {2}run (\S+)/.exec(whole) ?? [];
    const { stdout } = await work.run(["show", coder]);
    expect(stdout).toMatch(/^ {4}it works, Run 1 in \/etc red$/m);
  });
});
