import { describe, expect, it } from "vitest";
import { composeSupervisedPrompt, withRestartPrefix } from "./supervised-prompt.ts";

const prompt = {
  variables: { JRUN_TASK_ID: "task-001", JRUN_PARENT_ID: "", TASK_FOLDER: "/t" },
  outputPath: "/t/runs/r/output.md",
  donePath: "/t/DONE",
  waitPath: "/t/WAIT_WITHOUT_RESTART",
  subAgentCommand: "ralph supervise --task x -p TEXT",
  task: "Fix $(it) `now`\n---\n",
  isRestart: false,
};

describe("the prompt of a supervised agent", () => {
  it("says where it is, how to report and how to end, then the task exactly as it is (CW-3I)", () => {
    const text = composeSupervisedPrompt(prompt);
    const cut = text.indexOf("\n---\n\n");
    expect(text.slice(cut + 6)).toBe(prompt.task);
    const preamble = text.slice(0, cut);
    for (const part of ["JRUN_TASK_ID=task-001", "TASK_FOLDER=/t", "/t/runs/r/output.md", "ralph bus post", "/t/DONE"])
      expect(preamble).toContain(part);
    expect(preamble).toContain(prompt.subAgentCommand);
    expect(preamble).not.toContain("JRUN_PARENT_ID");
  });

  it("asks to continue after a restart, right before the task", () => {
    const text = composeSupervisedPrompt({ ...prompt, isRestart: true, subAgentCommand: null });
    expect(text.endsWith(`\n---\n\nContinue working on the following:\n\n${prompt.task}`)).toBe(true);
    expect(text).not.toContain("sub-agent");
    expect(withRestartPrefix("x")).toBe("Continue working on the following:\n\nx");
  });
});
