import { describe, expect, it } from "vitest";
import type { TextRef } from "../verification/verdict.ts";
import type { Feedback } from "../run/feedback.ts";
import { type Guardrail, settingsSchema } from "../settings/settings.ts";
import { composePrompt } from "./compose-prompt.ts";

type Given = {
  base?: string;
  feedback?: Feedback[];
  guardrails?: Guardrail[];
  settings?: Record<string, unknown>;
  iteration?: number;
  iterationsMax?: number | null;
};

/** Composes without the paragraph on how to claim, unless a row asks for it. */
function check(given: Given, expected: string): void {
  const { base = "Do it.", feedback = [], guardrails = [], settings = {}, iteration = 2, iterationsMax = 10 } = given;
  const composed = composePrompt({
    base,
    feedback,
    readText: (ref: TextRef) => ("blob" in ref ? `blob ${ref.blob}` : ref.text),
    settings: settingsSchema.parse({ completion: { instruction: false }, ...settings, guardrails }),
    iteration,
    iterationsMax,
  });
  expect(composed).toBe(expected);
}

const guardrails = (...actions: Guardrail["failAction"][]): Guardrail[] =>
  actions.map((failAction, index) => ({ command: `check ${index}`, failAction }));

const failed = (index: number, exitCode = 1, output: TextRef = { text: "boom" }): Feedback => ({
  kind: "output",
  name: `check ${index}`,
  exitCode,
  logFile: `.ralph/guardrail_001_check_${index}.log`,
  output,
});

const message = (index: number): string =>
  `Guardrail "check ${index}" failed with exit code 1.\nOutput file: .ralph/guardrail_001_check_${index}.log\nOutput (truncated):\nboom`;

describe("the prompt of a turn", () => {
  it("is exactly the base prompt when nothing failed (S1-38, S1-46)", () =>
    check({ base: "  Do it: $& `x` {{PROMPT}}\n\nnow  " }, "  Do it: $& `x` {{PROMPT}}\n\nnow  "));

  it.each<[Guardrail["failAction"], string]>([
    ["APPEND", `Do it.\n\n${message(0)}`],
    ["PREPEND", `${message(0)}\n\nDo it.`],
    ["REPLACE", message(0)],
  ])("takes a failed guardrail in by %s, two newlines apart (S1-39)", (action, expected) =>
    check({ guardrails: guardrails(action), feedback: [failed(0)] }, expected),
  );

  it("mixes the actions in any order: REPLACE is the base, the others stand around it (CW-1C, R-63)", () => {
    const expected = [message(1), message(3), message(0), message(4), message(2), message(5)].join("\n\n");
    const actions = guardrails("REPLACE", "PREPEND", "APPEND", "PREPEND", "REPLACE", "APPEND");
    check({ guardrails: actions, feedback: [0, 1, 2, 3, 4, 5].map((index) => failed(index)) }, expected);
  });

  it("keeps several of one action in the order of the settings (CW-1C)", () => {
    const feedback = [failed(0), failed(1)];
    check({ guardrails: guardrails("APPEND", "APPEND"), feedback }, `Do it.\n\n${message(0)}\n\n${message(1)}`);
    check({ guardrails: guardrails("PREPEND", "PREPEND"), feedback }, `${message(0)}\n\n${message(1)}\n\nDo it.`);
  });

  it("begins with the count of iterations, outermost, where it is wanted (S1-40, CW-1N)", () => {
    const settings = { includeIterationCountInPrompt: true };
    const line = "Iteration 2 of 10, 8 remaining.";
    check({ settings }, `${line}\n\nDo it.`);
    check({ settings, guardrails: guardrails("PREPEND"), feedback: [failed(0)] }, `${line}\n\n${message(0)}\n\nDo it.`);
    check({ settings, guardrails: guardrails("REPLACE"), feedback: [failed(0)] }, `${line}\n\n${message(0)}`);
    check({ settings, iterationsMax: null }, "Iteration 2, no limit.\n\nDo it.");
  });
});

describe("the message of a failed guardrail", () => {
  const withHint = (hint: string): Guardrail[] => [{ command: "check 0", failAction: "REPLACE", hint }];

  it("has the words and lines the documents fix (S1-57, CW-1M)", () =>
    check(
      { guardrails: withHint("Run make fix."), feedback: [failed(0, 2, { text: "line 1\nline 2" })] },
      [
        'Guardrail "check 0" failed with exit code 2.',
        "Hint: Run make fix.",
        "Output file: .ralph/guardrail_001_check_0.log",
        "Output (truncated):",
        "line 1\nline 2",
      ].join("\n"),
    ));

  it("has a line for the hint only when there is one (S1-57)", () =>
    check(
      { guardrails: withHint(""), feedback: [failed(0)] },
      'Guardrail "check 0" failed with exit code 1.\nOutput file: .ralph/guardrail_001_check_0.log\nOutput (truncated):\nboom',
    ));

  it("gives the hint literally and whole, placeholders and all (S1-58)", () => {
    const hint = `{{OUTPUT}} $1 $& ${"x".repeat(9000)}`;
    check(
      { guardrails: withHint(hint), feedback: [failed(0)], settings: { outputTruncateChars: 5 } },
      `Guardrail "check 0" failed with exit code 1.\nHint: ${hint}\nOutput file: .ralph/guardrail_001_check_0.log\nOutput (truncated):\nboom`,
    );
  });

  it("reads output that lies in the store", () =>
    check(
      { guardrails: guardrails("REPLACE"), feedback: [failed(0, 1, { blob: "abc" })] },
      message(0).replace("boom", "blob abc"),
    ));
});

describe("other reasons", () => {
  it("follow the guardrails in their order, as messages of their own", () =>
    check(
      {
        guardrails: guardrails("APPEND"),
        feedback: [
          failed(0),
          { kind: "reason", name: "tests", reason: "2 failed", output: { text: "out" } },
          { kind: "note", text: "Task 3 was deleted; it is back." },
          { kind: "unchanged" },
          { kind: "mentioned" },
          { kind: "wrong-promise", found: "OK", expected: "DONE" },
          { kind: "answer", text: { text: "Use PostgreSQL." } },
        ],
      },
      [
        "Do it.",
        message(0),
        "Verification failed: 2 failed\nout",
        "Task 3 was deleted; it is back.",
        "The claim was refused: nothing has changed since the run began (setting completion.requireProgress). Do the work first, then claim.",
        "The completion tag was mentioned but not claimed: output it on a line of its own when everything is done.",
        "Wrong promise 'OK', expected 'DONE'.",
        "Answer to your question: Use PostgreSQL.",
      ].join("\n\n"),
    ));

  it("name why verification failed, alone when there is no output (S2-17, R-71)", () =>
    check(
      { feedback: [{ kind: "reason", name: "tests", reason: "not run", output: { text: "" } }] },
      "Do it.\n\nVerification failed: not run",
    ));
});

describe("how to claim", () => {
  const instruct = { completion: { instruction: true } };
  const paragraph =
    "When everything is done and verified, and not before, output the line <promise>DONE</promise> on its own.";

  it("is told last, after two newlines", () => {
    check({ settings: instruct }, `Do it.\n\n${paragraph}`);
    check(
      { settings: instruct, guardrails: guardrails("APPEND"), feedback: [failed(0)] },
      `Do it.\n\n${message(0)}\n\n${paragraph}`,
    );
  });

  it("is told after a REPLACE too, where the base prompt is gone", () =>
    check(
      { settings: instruct, guardrails: guardrails("REPLACE"), feedback: [failed(0)] },
      `${message(0)}\n\n${paragraph}`,
    ));

  it.each(["<promise>DONE</promise>", "<response>\n done </response>", "<PROMISE> Done</PROMISE>"])(
    "is not told when the prompt shows it already: %j",
    (tag) => check({ base: `Say ${tag}.`, settings: instruct }, `Say ${tag}.`),
  );

  it("is told when the prompt shows a tag with another text, or a tag that does not count", () => {
    check({ base: "<promise>OK</promise>", settings: instruct }, `<promise>OK</promise>\n\n${paragraph}`);
    const promiseOnly = { completion: { instruction: true, signals: ["promise"] } };
    check({ base: "<response>DONE</response>", settings: promiseOnly }, `<response>DONE</response>\n\n${paragraph}`);
  });

  it("names the text and the tag of the settings, regular expression or not (R-10)", () => {
    const settings = { completionResponse: "A+B ($&)", completion: { instruction: true, signals: ["response"] } };
    check(
      { settings },
      `Do it.\n\n${paragraph.replace("<promise>DONE</promise>", () => "<response>A+B ($&)</response>")}`,
    );
    check({ base: "<response>A+B ($&)</response>", settings }, "<response>A+B ($&)</response>");
  });
});
