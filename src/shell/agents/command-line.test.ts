import { describe, expect, it } from "vitest";
import type { AgentAdapter, InvocationRequest } from "./adapter.ts";
import { ampAdapter } from "./amp/amp-adapter.ts";
import { claudeAdapter } from "./claude/claude-adapter.ts";
import { codexAdapter } from "./codex/codex-adapter.ts";
import { commandAdapter } from "./command/command-adapter.ts";
import { copilotAdapter } from "./copilot/copilot-adapter.ts";
import { geminiAdapter } from "./gemini/gemini-adapter.ts";
import { opencodeAdapter } from "./opencode/opencode-adapter.ts";
import { createSimAdapter } from "./sim/sim-adapter.ts";

const simAdapter = createSimAdapter(["node", "ralph.js"], [claudeAdapter, codexAdapter]);

const known = [claudeAdapter, codexAdapter, ampAdapter, opencodeAdapter, geminiAdapter, copilotAdapter, simAdapter];

function invoke(adapter: AgentAdapter, changes: Partial<InvocationRequest> = {}) {
  return adapter.invocation({
    command: adapter.name,
    flags: [],
    model: null,
    prompt: "Go",
    mode: "stream",
    sessionId: null,
    promptVia: null,
    answerFile: "/run/answer.txt",
    ...changes,
  });
}

function commandLine(adapter: AgentAdapter, changes: Partial<InvocationRequest> = {}): string {
  return invoke(adapter, changes).argv.join(" ");
}

describe("command lines while streaming (S1-30, S1-31)", () => {
  it("asks claude for its stream and gives it no permission of its own accord (CB-12)", () => {
    expect(commandLine(claudeAdapter)).toBe("claude -p --output-format stream-json --verbose");
  });

  it("gives codex the prompt by standard input in a writable workspace (S1-34, CW-1H)", () => {
    const { argv, stdin } = invoke(codexAdapter);
    expect(argv.join(" ")).toBe("codex exec --json -s workspace-write -");
    expect(stdin).toBe("Go");
  });

  it("puts amp's -x behind all flags (S1-33)", () => {
    expect(commandLine(ampAdapter, { flags: ["--no-notifications"] })).toBe(
      "amp --stream-json --dangerously-allow-all --no-notifications -x",
    );
  });

  it("asks opencode for JSON lines", () => {
    expect(commandLine(opencodeAdapter)).toBe("opencode run --format json");
  });

  it("asks gemini for its stream in a folder that nobody trusted yet, without permissions", () => {
    expect(commandLine(geminiAdapter)).toBe("gemini --output-format stream-json --skip-trust");
  });

  it("asks copilot for JSON lines, without permissions, and for its usage where somebody reads it", () => {
    expect(commandLine(copilotAdapter)).toBe("copilot --output-format json --no-auto-update");
    expect(commandLine(copilotAdapter, { usageFile: "/run/usage" })).toBe(
      "copilot --output-format json --usage-output-file /run/usage --no-auto-update",
    );
  });

  it("starts the scripted agent as this very program", () => {
    expect(commandLine(simAdapter, { flags: ["--script", "x.json"] })).toBe("node ralph.js sim --script x.json");
  });

  it("gives an unknown program nothing but flags and prompt (S1-30)", () => {
    expect(commandLine(commandAdapter, { command: "./agent.sh", flags: ["--fast"] })).toBe("./agent.sh --fast Go");
  });
});

describe("command lines for one text answer (S1-32, S1-35)", () => {
  it.each([
    [claudeAdapter, "claude -p --output-format text"],
    [codexAdapter, "codex exec -o /run/answer.txt -s workspace-write -"],
    [ampAdapter, "amp --dangerously-allow-all -x"],
    [opencodeAdapter, "opencode run"],
    [geminiAdapter, "gemini --output-format text --skip-trust"],
    [copilotAdapter, "copilot -s --no-auto-update"],
    [simAdapter, "node ralph.js sim --text"],
  ])("of $name", (adapter, expected) => {
    expect(commandLine(adapter, { mode: "text" })).toBe(expected);
  });

  it("is read from a file for codex alone (S1-35)", () => {
    expect(invoke(codexAdapter, { mode: "text" }).usesAnswerFile).toBe(true);
    expect(invoke(codexAdapter).usesAnswerFile).toBe(false);
    expect(invoke(claudeAdapter, { mode: "text" }).usesAnswerFile).toBe(false);
  });
});

describe("flags of the settings (S1-36)", () => {
  it.each([...known, commandAdapter])("reach $name in both modes, each as its own argument", (adapter) => {
    for (const mode of ["stream", "text"] as const) {
      expect(invoke(adapter, { mode, flags: ["--one", "two words"] }).argv).toEqual(
        expect.arrayContaining(["--one", "two words"]),
      );
    }
  });

  it("choose codex's sandbox in every spelling, without a second one that codex would refuse", () => {
    const spellings = [
      ["-s", "read-only"],
      ["--sandbox", "danger-full-access"],
      ["--sandbox=read-only"],
      ["-sread-only"],
      ["-c", 'sandbox_mode="read-only"'],
      ["--dangerously-bypass-approvals-and-sandbox"],
    ];
    for (const flags of spellings) expect(commandLine(codexAdapter, { flags })).not.toContain("workspace-write");
  });

  it("that forbid edits make the invocation read-only", () => {
    expect(invoke(codexAdapter, { flags: ["-s", "read-only"] }).isReadOnly).toBe(true);
    expect(invoke(codexAdapter, { flags: ["--sandbox=read-only"] }).isReadOnly).toBe(true);
    expect(invoke(codexAdapter, { flags: ["-c", 'sandbox_mode="read-only"'] }).isReadOnly).toBe(true);
    expect(invoke(codexAdapter, { flags: ["-s", "workspace-write"] }).isReadOnly).toBe(false);
    expect(invoke(claudeAdapter, { flags: ["--permission-mode", "plan"] }).isReadOnly).toBe(true);
    expect(invoke(claudeAdapter).isReadOnly).toBe(false);
    expect(invoke(geminiAdapter, { flags: ["--approval-mode=plan"] }).isReadOnly).toBe(true);
    expect(invoke(geminiAdapter, { flags: ["--approval-mode=yolo"] }).isReadOnly).toBe(false);
    expect(invoke(copilotAdapter, { flags: ["--plan"] }).isReadOnly).toBe(true);
    expect(invoke(copilotAdapter, { flags: ["--mode", "plan"] }).isReadOnly).toBe(true);
    expect(invoke(copilotAdapter, { flags: ["--plan", "--mode", "autopilot"] }).isReadOnly).toBe(false);
  });

  it("win over the model setting where a program refuses the flag twice", () => {
    expect(commandLine(codexAdapter, { model: "a", flags: ["--model", "b"] })).not.toContain("-m a");
    expect(commandLine(codexAdapter, { flags: ["--json"] }).split("--json")).toHaveLength(2);
  });
});

describe("model and session", () => {
  it.each([
    [claudeAdapter, "claude -p --output-format stream-json --verbose --model m --resume s1"],
    [codexAdapter, "codex exec --json -s workspace-write -m m resume s1 -"],
    [ampAdapter, "amp threads continue s1 --stream-json --dangerously-allow-all --mode m -x"],
    [opencodeAdapter, "opencode run --format json -m m -s s1"],
    [geminiAdapter, "gemini --output-format stream-json --skip-trust -m m --resume s1"],
    [copilotAdapter, "copilot --output-format json --no-auto-update --model m --resume=s1"],
  ])("are told to $name", (adapter, expected) => {
    expect(commandLine(adapter, { model: "m", sessionId: "s1" })).toBe(expected);
  });
});

describe("the prompt (CB-13, R-50)", () => {
  const hard = "-x 'a' \"b\" $(touch /tmp/no) `id` * ?\n---\n\u0001 🎉 é\\";
  it.each(known)("reaches $name unchanged by standard input and stays out of the arguments", (adapter) => {
    const prompt = hard + "x".repeat(200_000);
    const { argv, stdin } = invoke(adapter, { prompt });
    expect(stdin).toBe(prompt);
    expect(argv.some((argument) => argument.length > 1000)).toBe(false);
  });

  it("can be an argument of claude, codex and opencode, behind -- so that a dash is no flag", () => {
    for (const adapter of [claudeAdapter, codexAdapter, opencodeAdapter]) {
      const { argv, stdin } = invoke(adapter, { prompt: hard, promptVia: "argument" });
      expect(argv.slice(-2)).toEqual(["--", hard]);
      expect(stdin).toBeNull();
    }
  });

  it("can be an argument of gemini and copilot, tied to its name so that a dash is no flag", () => {
    for (const adapter of [geminiAdapter, copilotAdapter]) {
      const { argv, stdin } = invoke(adapter, { prompt: hard, promptVia: "argument" });
      expect(argv.at(-1)).toBe(`--prompt=${hard}`);
      expect(stdin).toBeNull();
    }
  });

  it("stands right behind amp's -x as an argument (S1-33)", () => {
    expect(invoke(ampAdapter, { promptVia: "argument", flags: ["--a"] }).argv.slice(-3)).toEqual(["--a", "-x", "Go"]);
  });

  it("is the last argument of an unknown program, unchanged", () => {
    expect(invoke(commandAdapter, { prompt: hard })).toMatchObject({ argv: ["command", hard], stdin: null });
  });

  it("goes to an unknown program by standard input above 100 KiB, counted in bytes", () => {
    const fits = "é".repeat(50 * 1024);
    expect(invoke(commandAdapter, { prompt: fits })).toMatchObject({ argv: ["command", fits], stdin: null });
    expect(invoke(commandAdapter, { prompt: `${fits}x` })).toMatchObject({ argv: ["command"], stdin: `${fits}x` });
  });

  it("goes the way the settings say, whatever its size", () => {
    expect(invoke(commandAdapter, { promptVia: "stdin" })).toMatchObject({ argv: ["command"], stdin: "Go" });
    const long = "x".repeat(110 * 1024);
    expect(invoke(commandAdapter, { promptVia: "argument", prompt: long }).stdin).toBeNull();
  });
});

describe("the scripted agent's stream", () => {
  it("is read like the agent that --format names, like the first one by default, or as plain text", () => {
    const threadLine = { type: "thread.started", thread_id: "t" };
    expect(simAdapter.createReader([])?.read(threadLine)).toBe("unknown");
    expect(simAdapter.createReader(["--format", "codex"])?.read(threadLine)).not.toBe("unknown");
    expect(simAdapter.createReader(["--format=codex"])?.read(threadLine)).not.toBe("unknown");
    expect(simAdapter.createReader(["--format", "text"])).toBeNull();
  });
});
