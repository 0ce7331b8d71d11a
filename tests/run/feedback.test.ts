import { describe, expect, it } from "vitest";
import { openProject } from "./scratch-project.ts";

type Guardrail = { command: string; failAction: string; hint?: string };

const paragraph =
  "When everything is done and verified, and not before, output the line <promise>DONE</promise> on its own.";

/** The message of a guardrail whose command is `echo NAME; exit CODE` in iteration 1. */
function messageOf(name: string, code: number, hint?: string): string {
  return [
    `Guardrail "echo ${name}; exit ${code}" failed with exit code ${code}.`,
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
    `Output file: .ralph/guardrail_001_echo_${name}_exit_${code}.log`,
    "Output (truncated):",
    name,
  ].join("\n");
}

function guardrail(name: string, code: number, failAction: string): Guardrail {
  return { command: `echo ${name}; exit ${code}`, failAction };
}

/** The second prompt of a run whose guardrails fail in the first iteration. */
async function check(guardrails: Guardrail[], expected: string, settings: Record<string, unknown> = {}): Promise<void> {
  const project = openProject();
  project.claude("claim", { completion: { instruction: false }, maximumIterations: 2, ...settings, guardrails });
  await project.run(["run", "-p", "Base prompt"]);
  expect(project.prompts()[1]).toBe(expected);
}

describe("the prompt after a red guardrail", () => {
  it("APPEND puts the message behind the prompt, two newlines between (S1-39, S1-44, S1-57)", async () => {
    await check([guardrail("a", 1, "APPEND")], `Base prompt\n\n${messageOf("a", 1)}`);
  });

  it("PREPEND puts the message before the prompt (S1-39)", async () => {
    await check([guardrail("a", 2, "PREPEND")], `${messageOf("a", 2)}\n\nBase prompt`);
  });

  it("REPLACE puts the message in place of the prompt (S1-39)", async () => {
    await check([guardrail("a", 255, "REPLACE")], messageOf("a", 255));
  });

  it("takes the fail action in any case of letters (S1-39)", async () => {
    await check([guardrail("a", 1, " prepend ")], `${messageOf("a", 1)}\n\nBase prompt`);
  });

  const mixed = [
    guardrail("a1", 1, "APPEND"),
    guardrail("r1", 2, "REPLACE"),
    guardrail("p1", 3, "PREPEND"),
    guardrail("a2", 4, "APPEND"),
    guardrail("p2", 5, "PREPEND"),
    guardrail("r2", 6, "REPLACE"),
  ];
  const [a1, r1, p1, a2, p2, r2] = ["a1", "r1", "p1", "a2", "p2", "r2"].map((name, at) => messageOf(name, at + 1));

  it("mixes all three in the order listed, whatever order they stand in (R-63, CW-1C)", async () => {
    await check(mixed, [p1, p2, r1, r2, a1, a2].join("\n\n"));
    await check(mixed.toReversed(), [p2, p1, r2, r1, a2, a1].join("\n\n"));
  });

  it("mixes those that failed only (R-63, S1-46)", async () => {
    const green = { command: "true", failAction: "REPLACE" };
    const [first, , third, fourth] = mixed;
    const some = [first, green, third, fourth].flatMap((each) => each ?? []);
    await check(some, [p1, "Base prompt", a1, a2].join("\n\n"));
  });

  it("has the iteration line outermost, also around a REPLACE (S1-40, CW-1N)", async () => {
    const settings = { includeIterationCountInPrompt: true, maximumIterations: 5 };
    await check(mixed.slice(0, 3), `Iteration 2 of 5, 3 remaining.\n\n${[p1, r1, a1].join("\n\n")}`, settings);
  });

  it("ends with how to claim, unless the composed prompt shows it", async () => {
    const settings = { completion: { instruction: true } };
    await check([guardrail("a", 1, "APPEND")], `Base prompt\n\n${messageOf("a", 1)}\n\n${paragraph}`, settings);
    const shows = { command: "echo '<promise> done </promise>'; exit 1", failAction: "APPEND" };
    const message = [
      `Guardrail "${shows.command}" failed with exit code 1.`,
      "Output file: .ralph/guardrail_001_echo_promise_done_promise_exit_1.log",
      "Output (truncated):",
      "<promise> done </promise>",
    ].join("\n");
    await check([shows], `Base prompt\n\n${message}`, settings);
  });

  it("carries the hint as it is, never cut and never filled in (S1-57, S1-58)", async () => {
    const hint = 'Run `make fix` {{PROMPT}} $HOME %s "quoted"\nsecond line '.concat("x".repeat(6000));
    const settings = { outputTruncateChars: 1 };
    await check([{ ...guardrail("a", 1, "APPEND"), hint }], `Base prompt\n\n${messageOf("a", 1, hint)}`, settings);
  });
});

describe("the output in the message", () => {
  const message = (command: string, slug: string, output: string): string =>
    `Base prompt\n\nGuardrail "${command}" failed with exit code 1.\nOutput file: .ralph/guardrail_001_${slug}.log\nOutput (truncated):\n${output}`;

  it.each([
    ["head", 4, "abcd... [truncated]"],
    ["head", 6, "abcdef"],
    ["tail", 4, "... [truncated]\ncdef"],
    ["both", 4, "ab... [truncated]\nef"],
  ])("keeps the %s of %i characters and says so only when cut (S1-56, CW-1L, CW-1M)", async (keep, chars, output) => {
    const command = "echo abcdef; exit 1";
    const settings = { outputTruncate: keep, outputTruncateChars: chars };
    await check([{ command, failAction: "APPEND" }], message(command, "echo_abcdef_exit_1", output), settings);
  });

  it("counts characters and never cuts one in two (R-64, CW-1L)", async () => {
    const command = "printf 'a🎉🎉🎉b'; exit 1";
    const settings = { outputTruncateChars: 3 };
    await check(
      [{ command, failAction: "APPEND" }],
      message(command, "printf_a_b_exit_1", "a🎉🎉... [truncated]"),
      settings,
    );
  });

  it("shows bytes that are no text as replacement characters (R-64)", async () => {
    const command = String.raw`printf 'ok \377\376 ok'; exit 1`;
    await check(
      [{ command, failAction: "APPEND" }],
      message(command, "printf_ok_377_376_ok_exit_1", "ok \uFFFD\uFFFD ok"),
    );
  });

  it("keeps a multi-byte character that arrives in two pieces (R-64)", async () => {
    const command = String.raw`printf '\342\202'; sleep 0.2; printf '\254'; exit 1`;
    await check(
      [{ command, failAction: "APPEND" }],
      message(command, "printf_342_202_sleep_0_2_printf_254_exit_1", "€"),
    );
  });

  it("has its trailing white space trimmed, and may be empty (S1-57)", async () => {
    const command = String.raw`printf ' x \n\n '; exit 1`;
    await check([{ command, failAction: "APPEND" }], message(command, "printf_x_n_n_exit_1", " x"));
    await check([{ command: "exit 1", failAction: "APPEND" }], message("exit 1", "exit_1", ""));
  });
});

describe("from iteration to iteration", () => {
  it("a failure is forgotten once the guardrails pass, and the next prompt is clean (S1-46, S1-44)", async () => {
    const project = openProject();
    const command = 'n=$(cat count 2>/dev/null || echo 0); echo $((n + 1)) > count; [ "$n" = 1 ]';
    const flaky = { command: `${command} || [ "$n" = 2 ]`, failAction: "APPEND" };
    project.claude("case $n in 3) claim;; esac", { guardrails: [flaky], completion: { instruction: false } });
    expect((await project.run(["run", "-p", "Base prompt"])).code).toBe(0);
    const [first, second, third] = project.prompts();
    expect(first).toBe("Base prompt");
    expect(second).toContain("failed with exit code 1.");
    expect(third).toBe("Base prompt");
  });

  it("each message is of the iteration before and names its own log (S1-44, S1-54)", async () => {
    const project = openProject();
    const guardrails = [{ command: "cat turn; exit 1", failAction: "APPEND" }];
    const settings = { guardrails, maximumIterations: 3, completion: { instruction: false } };
    project.claude("printf turn$n > turn\nclaim", settings);
    expect((await project.run(["run", "-p", "Base prompt"])).code).toBe(1);
    const message = (iteration: number) =>
      `Base prompt\n\nGuardrail "cat turn; exit 1" failed with exit code 1.\nOutput file: .ralph/guardrail_00${iteration}_cat_turn_exit_1.log\nOutput (truncated):\nturn${iteration}`;
    expect(project.prompts()).toEqual(["Base prompt", message(1), message(2)]);
  });

  it("a claim beside a red guardrail is not looked at: no note about it reaches the prompt (S1-44, S1-51)", async () => {
    const project = openProject();
    project.claude("claim", { guardrails: [guardrail("a", 1, "APPEND")], maximumIterations: 2 });
    const { stderr } = await project.run(["run", "-p", "Say <promise>DONE</promise> at the end"]);
    expect(project.prompts()[1]).toBe(`Say <promise>DONE</promise> at the end\n\n${messageOf("a", 1)}`);
    expect(stderr).toContain("claim refused: echo a; exit 1 failed; the agent will be told why");
  });

  it("notes follow the guardrails' messages in a fixed order: mention, wrong promise (R-13, R-14)", async () => {
    const project = openProject();
    const settings = {
      guardrails: [guardrail("a", 1, "APPEND")],
      maximumIterations: 2,
      completion: { instruction: false },
    };
    project.claude("say '<promise>FINISHED</promise>'", settings);
    await project.run(["run", "-p", "Base prompt"]);
    expect(project.prompts()[1]).toBe(
      `Base prompt\n\n${messageOf("a", 1)}\n\nWrong promise 'FINISHED', expected 'DONE'.`,
    );
  });
});
