import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AgentAdapter, type GateKind, type LoopHandle, plainAnswer, runLoop, type Sink } from "../../src/index.ts";
import { openFolder } from "../library/open-folder.ts";

/** A surface of its own: one line for what a person wants to know, made of the events alone. */
async function toySurface(loop: LoopHandle): Promise<string[]> {
  const lines: string[] = [];
  for await (const event of loop.events) {
    if (event.kind === "agent" && event.event.type === "text") lines.push(`agent: ${event.event.text.trim()}`);
    if (event.kind === "check" && event.progress.verdict !== null)
      lines.push(`${event.progress.gate.name}: ${event.progress.verdict.isPassed ? "green" : "red"}`);
  }
  return [...lines, (await loop.outcome).name];
}

/** A kind of gate of its own: the bell must have rung. */
function toyGate(folder: string): GateKind {
  return {
    name: "toy-bell",
    gatesOf: () => [
      {
        id: "bell",
        kind: "toy-bell",
        name: "the bell",
        when: "on-claim",
        isBeforeDelivery: true,
        isAlways: false,
        origin: "toy",
        limits: { wallMs: null },
        tells: "reason",
        spec: null,
      },
    ],
    open:
      ({ context }) =>
      ({ gate }) => {
        const isPassed = existsSync(join(folder, "bell"));
        const verdict = {
          index: 0,
          name: gate.name,
          isPassed,
          reason: isPassed ? "it rang" : "the bell has not rung",
          exitCode: isPassed ? 0 : 1,
          isTimedOut: false,
          durationMs: 0,
          output: { text: "" },
          logFile: null,
          evidence: null,
        };
        context.onCheck({ gate, verdict });
        return Promise.resolve(plainAnswer([verdict]));
      },
  };
}

/** An agent program of its own: it speaks lines of JSON that only this adapter knows. */
const toyAgent: AgentAdapter = {
  name: "toy",
  commands: ["toy-agent"],
  reportsCost: false,
  spendCovers: "process",
  readUsage: null,
  keyVariables: [],
  hostMarkers: [],
  signIn: null,
  editFlags: null,
  env: {},
  invocation: ({ command, prompt }) => ({ argv: [command], stdin: prompt, usesAnswerFile: false, isReadOnly: false }),
  createReader: () => ({
    read: (line) =>
      typeof line === "object" && line !== null && "toy" in line
        ? [{ type: "text", text: `${String(line.toy)}\n`, messageId: "toy", isSub: false }]
        : "unknown",
    failure: () => null,
  }),
};

describe("through the library alone, without a change of the product", () => {
  it("a toy surface, sink, gate and agent are added", async () => {
    const projectDir = openFolder();
    const program = join(openFolder(), "toy-agent");
    writeFileSync(
      program,
      `#!/bin/sh\ncat > /dev/null\n[ -e once ] && touch bell\ntouch once\necho '{"toy":"<promise>DONE</promise>"}'\n`,
    );
    chmodSync(program, 0o755);
    const steps: string[] = [];
    const toySink: Sink = {
      entry: (entry) => void (entry.kind === "step" && steps.push(entry.observation.type)),
      agentEvent: () => {},
    };
    const loop = runLoop({
      projectDir,
      stateFolder: openFolder(),
      prompt: "Ring the bell",
      agent: program,
      agents: [toyAgent],
      gates: [toyGate(projectDir)],
      sinks: [toySink],
    });
    const promise = "agent: <promise>DONE</promise>";
    expect(await toySurface(loop)).toEqual([promise, "the bell: red", promise, "the bell: green", "completed"]);
    expect(steps.filter((type) => type === "gate-finished")).toHaveLength(2);
  });
});
