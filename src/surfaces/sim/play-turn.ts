import { setTimeout as delay } from "node:timers/promises";
import type { Writable } from "node:stream";
import { floodOutlet, floodPieces } from "./flood.ts";
import { type Outlet, openOutlet } from "./outlet.ts";
import type { ResetTime, SimStep, SimTurn } from "./sim-step.ts";
import type { Stage } from "./stage.ts";
import { editTool, leaveChild, runTool, useEdit, type Workplace } from "./work.ts";

export type Play = {
  stage: Stage;
  workplace: Workplace;
  stdout: Outlet;
  stderr: Writable;
};

/** How a turn continues after a step: the next one, or the end of the process without a result. */
type Crash = { code: number; signal: NodeJS.Signals | null };
type Ending = { exitCode: number | null; hasFailed: boolean; linger: { ms: number | null } | null; todoCount: number };

/** Performs a turn's steps in order and closes it with a result. Returns the exit code. */
export async function playTurn(turn: SimTurn, play: Play): Promise<number> {
  const ending: Ending = { exitCode: null, hasFailed: false, linger: null, todoCount: 0 };
  play.stage.spend(turn.spend);
  await play.stage.begin();
  for (const step of turn.steps) {
    const crash = await playStep(step, play, ending);
    if (crash !== null) return crashNow(crash);
  }
  if (play.stage.isResultDue()) {
    ending.hasFailed = false;
    await play.stage.result(null, null);
  }
  if (ending.linger !== null) await (ending.linger.ms === null ? hang() : delay(ending.linger.ms));
  return ending.exitCode ?? (ending.hasFailed ? 1 : 0);
}

async function playStep(step: SimStep, play: Play, ending: Ending): Promise<Crash | null> {
  const { stage } = play;
  switch (step.step) {
    case "say":
      await stage.say(step.text, step.chunks);
      return null;
    case "think":
      await stage.think(step.text);
      return null;
    case "echo":
      await stage.echo();
      return null;
    case "garbage":
      await stage.raw(`${step.text}\n`);
      return null;
    case "unknown":
      await stage.raw('{"type":"sim.unknown","note":"no adapter knows this event"}\n');
      return null;
    case "usage":
      stage.spend(step.spend);
      return null;
    case "edit":
    case "run":
    case "deny":
    case "todo":
    case "subagent":
    case "child":
      await playTool(step, play, ending);
      return null;
    case "wait":
    case "hang":
    case "flood":
    case "ignore-sigterm":
    case "close-stdout":
      await playProcess(step, play);
      return null;
    case "result":
      ending.hasFailed = false;
      await stage.result(step.text, null);
      return null;
    case "fail":
      await playFailure(step, play);
      ending.hasFailed = true;
      return null;
    case "linger":
      ending.linger = { ms: step.ms };
      return null;
    case "exit":
      ending.exitCode = step.code;
      return null;
    case "crash":
      return { code: step.code, signal: step.signal };
  }
}

type ToolStep = Extract<SimStep, { step: "edit" | "run" | "deny" | "todo" | "subagent" | "child" }>;

async function playTool(step: ToolStep, play: Play, ending: Ending): Promise<void> {
  const { stage, workplace } = play;
  const done = { output: "", exitCode: null, isError: false, isDenied: false };
  switch (step.step) {
    case "edit": {
      const tool = editTool(workplace, step.file, step.change);
      return stage.useTool(tool, () => useEdit(tool));
    }
    case "run":
      return stage.useTool({ kind: "run", command: step.command }, () =>
        runTool(workplace, step.command, step.timeoutMs),
      );
    case "deny": {
      const tool = editTool(workplace, step.file, { kind: "content", content: "" });
      const output = `Editing ${step.file} needs approval, and nobody is there to give it.`;
      return stage.useTool(tool, async () => ({ ...done, output, isError: true, isDenied: true }));
    }
    case "todo": {
      const isFirst = ending.todoCount === 0;
      ending.todoCount += 1;
      return stage.useTool({ kind: "todo", items: step.items, isFirst }, async () => ({ ...done, output: "ok" }));
    }
    case "subagent":
      return stage.useTool({ kind: "subagent", text: step.text }, async () => ({ ...done, output: step.text }));
    case "child":
      return leaveChild(workplace, step, stage);
  }
}

type ProcessStep = Extract<SimStep, { step: "wait" | "hang" | "flood" | "ignore-sigterm" | "close-stdout" }>;

async function playProcess(step: ProcessStep, play: Play): Promise<void> {
  switch (step.step) {
    case "wait":
      await play.stage.settle();
      return delay(step.ms);
    case "hang":
      await play.stage.settle();
      return hang();
    case "flood":
      if (step.to === "stdout") return play.stage.stream(floodPieces(step.bytes));
      return floodOutlet(step.bytes, step.to === "stderr" ? openOutlet(play.stderr) : play.stdout);
    case "ignore-sigterm":
      process.on("SIGTERM", () => {});
      return;
    case "close-stdout":
      play.stdout.close();
  }
}

async function playFailure(step: Extract<SimStep, { step: "fail" }>, play: Play): Promise<void> {
  play.stderr.write(`sim: ${step.message}\n`);
  await play.stage.result(null, { kind: step.kind, message: step.message, resetAt: resetMoment(step.reset) });
}

function resetMoment(reset: ResetTime | null): number | null {
  if (reset === null) return null;
  return reset.kind === "at" ? reset.ms : Date.now() + reset.ms;
}

/** Never resolves. The timer keeps the process alive; only a signal ends it. */
function hang(): Promise<never> {
  return new Promise(() => setInterval(() => {}, 3_600_000));
}

async function crashNow(crash: Crash): Promise<number> {
  if (crash.signal === null) return crash.code;
  process.removeAllListeners(crash.signal);
  process.kill(process.pid, crash.signal);
  return hang();
}
