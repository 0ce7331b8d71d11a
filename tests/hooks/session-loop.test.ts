import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Answered, type HookCall, type HookWorld, openHookWorld } from "./built-hook.ts";

let world: HookWorld;
beforeEach(() => {
  world = openHookWorld();
});
afterEach(() => world.remove());

function types(prompt: string, call: HookCall = {}): Answered {
  return world.run("user-prompt-submit", "UserPromptSubmit", { ...call, fields: { prompt, ...call.fields } });
}

function start(line = '/ralph "Fix it" --max-iterations=5'): void {
  expect(types(line).json.systemMessage).toContain("Ralph loop started");
}

/** The agent stops, with these last words as the host tells them. */
function stops(words: string | null, call: HookCall = {}): Answered {
  const said = words === null ? { last_assistant_message: undefined } : { last_assistant_message: words };
  return world.run("stop", "Stop-first", { ...call, fields: { ...said, ...call.fields } });
}

/** The folders of sessions with a loop, or with one that lies aside. */
function folders(): string[] {
  const names = readdirSync(join(world.state, "sessions"), { withFileTypes: true });
  return names.filter((each) => each.isDirectory() && each.name.startsWith("claude-code-")).map(({ name }) => name);
}

const stateFile = (name: string): string => join(world.state, "sessions", name, "state.json");

function stored(): { loop: { iteration: number; prompt: string } } {
  const [name = ""] = folders();
  return JSON.parse(readFileSync(stateFile(name), "utf8")) as ReturnType<typeof stored>;
}

const feedback = (heading: string) => ({
  type: "user",
  isMeta: true,
  timestamp: new Date().toISOString(),
  message: { role: "user", content: `Stop hook feedback:\n[node run.cjs stop]: ${heading}` },
});

describe("a loop in a session of the host", () => {
  it("starts by what was typed, untouched by any shell, and keeps its state outside the work tree (S4-01, CB-06)", () => {
    const answered = world.run("user-prompt-submit", "UserPromptSubmit-ralph");
    expect(answered).toMatchObject({ exitCode: 0, stderr: "" });
    expect(answered.json.systemMessage).toContain(
      "Ralph loop started: at most 3 iterations, complete with <promise>DONE</promise>. No check is configured",
    );
    expect(answered.json.hookSpecificOutput?.additionalContext).toContain("Task:\nFix it & $(touch x)");
    expect(answered.json.hookSpecificOutput?.additionalContext).toContain("<promise>DONE</promise>");
    expect(stored().loop.prompt).toBe("Fix it & $(touch x)");
    expect(readdirSync(world.project)).toEqual([]);
  });

  it("starts by the command with the plugin's name too (CB-17)", () => {
    world.run("user-prompt-submit", "UserPromptSubmit-ralph-with-plugin-name");
    expect(stored().loop.prompt).toBe("Fix two");
  });

  it("sends the agent back with one line, which people see as no error, until it claims (R-03, R-05)", () => {
    start();
    const first = stops("I am DONE.");
    expect(first).toMatchObject({ exitCode: 0, stderr: "" });
    expect(first.json).toEqual({
      hookSpecificOutput: {
        hookEventName: "Stop",
        additionalContext:
          "Ralph: iteration 2 of 5, no promise yet. Continue; when FULLY complete, output <promise>DONE</promise>.",
      },
    });
    expect(stored().loop.iteration).toBe(2);
    const second = stops("All done. <promise>DONE</promise>");
    expect(second).toMatchObject({ isBlocked: false, stderr: "" });
    expect(second.json.systemMessage).toBe(
      "Ralph Loop Complete! Task completed after 2 iteration(s), unverified: met by the claim alone",
    );
    expect(folders()).toEqual([]);
  });

  it("sees a claim that tool calls followed, in the lines of its own turn (R-05, R-06)", () => {
    start();
    const [before, after] = ["<promise>DO", "NE</promise>"];
    const id = { id: "msg_split", role: "assistant" };
    world.says("", { message: { ...id, content: [{ type: "text", text: `Done.\n${before}` }] } });
    world.says("", { message: { ...id, content: [{ type: "text", text: `${after}\n` }] } });
    world.says("", { message: { ...id, content: [{ type: "tool_use", name: "Bash", input: {} }] } });
    expect(stops("Tidied up.").isBlocked).toBe(false);
  });

  it.each([
    ["of a person", (claim: string) => ({ type: "user", message: { role: "user", content: claim } })],
    [
      "of a helper",
      (claim: string) => ({
        type: "assistant",
        isSidechain: true,
        message: { id: "h", content: [{ type: "text", text: claim }] },
      }),
    ],
    [
      "in a tool's input",
      (claim: string) => ({
        type: "assistant",
        message: { id: "t", content: [{ type: "tool_use", name: "Bash", input: { command: claim } }] },
      }),
    ],
    [
      "in a tool's result",
      (claim: string) => ({
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", content: claim }] },
      }),
    ],
    [
      "in reasoning",
      (claim: string) => ({
        type: "assistant",
        message: { id: "r", content: [{ type: "thinking", thinking: claim }] },
      }),
    ],
    [
      "of the program itself",
      (claim: string) => ({
        type: "assistant",
        message: { id: "s", model: "<synthetic>", content: [{ type: "text", text: claim }] },
      }),
    ],
  ])("does not take the words %s for the agent's (R-01, R-02, CW-0B)", (_, entry) => {
    start();
    world.write({ timestamp: new Date().toISOString(), ...entry("<promise>DONE</promise>") });
    expect(stops("Not yet.").isBlocked).toBe(true);
  });

  it("takes no claim from before the loop, nor from the iteration before (R-04, CW-0A)", () => {
    world.says("<promise>DONE</promise>", { timestamp: "2020-01-01T00:00:00.000Z" });
    start();
    // Of the first iteration, and written down only after it was judged: the record lags.
    const earlier = new Date().toISOString();
    expect(stops("Working.").isBlocked).toBe(true);
    world.says("<promise>DONE</promise>", { timestamp: earlier });
    world.write(feedback("[RALPH LOOP - ITERATION 2/5]"));
    expect(stops("Working.").isBlocked).toBe(true);
  });

  it("is not blinded by a damaged line (R-07)", () => {
    start();
    world.says("<promise>DONE</promise>");
    writeFileSync(world.transcript, '{"type":"assistant", "message": \u0007\n{"type":"assist\n', { flag: "a" });
    expect(stops("Tidied up.").isBlocked).toBe(false);
  });

  it("reads the record where the host does not tell the last words, and keeps the loop while it lags (R-08)", () => {
    start();
    expect(stops(null).isBlocked).toBe(true);
    expect(folders()).toHaveLength(1);
    world.says("<promise>DONE</promise>");
    expect(stops(null).isBlocked).toBe(false);
    expect(folders()).toEqual([]);
  });

  it.each([
    ['/ralph "Fix it" --completion-promise=" "', "--completion-promise"],
    ["/ralph", "No task was given"],
    ['/ralph "Fix it" --max-iterations=0', "--max-iterations"],
  ])("refuses %s and says why (R-09)", (line, reason) => {
    const answered = types(line);
    expect(answered.json.systemMessage).toContain("not started");
    expect(answered.json.systemMessage).toContain(reason);
    expect(stops("Hello.")).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("leaves another session of the same directory alone, and says so (R-20, R-23)", () => {
    start();
    const other = { session_id: "11111111-2222-4333-8444-555555555555" };
    expect(stops("Bye.", { fields: other })).toMatchObject({ exitCode: 0, stdout: "" });
    expect(stops("<promise>DONE</promise>", { fields: other })).toMatchObject({ exitCode: 0, stdout: "" });
    expect(stored().loop.iteration).toBe(1);
    expect(types("/cancel-ralph", { fields: other }).json.systemMessage).toContain(
      `Session ${world.sessionId} has a Ralph loop in this directory`,
    );
    expect(world.run("session-start", "SessionStart-startup", { fields: other }).json.systemMessage).toContain(
      "leaves it alone",
    );
    expect(folders()).toHaveLength(1);
  });

  it.each(["", "null", "undefined"])('takes the session "%s" for nobody\'s (R-21)', (session_id) => {
    start();
    expect(stops("Bye.", { fields: { session_id } })).toMatchObject({ exitCode: 0, stdout: "" });
    expect(types("/ralph x", { fields: { session_id } }).json.systemMessage).toContain("no session");
    expect(stored().loop.iteration).toBe(1);
  });

  it("clears the loop of a session that is gone, and not that of one that is there (R-22)", () => {
    start();
    const other = { session_id: "11111111-2222-4333-8444-555555555555" };
    world.write({ type: "user" });
    const lost = "99999999-2222-4333-8444-555555555555";
    types('/ralph "Lost"', { fields: { session_id: lost } });
    stops("Bye.", { fields: other });
    expect(folders()).toHaveLength(2);
    for (const name of folders()) {
      const path = stateFile(name);
      const dayBefore = new Date(Date.now() - 25 * 3_600_000).toISOString();
      writeFileSync(path, readFileSync(path, "utf8").replace(/"startedAt": ".*?"/, `"startedAt": "${dayBefore}"`));
    }
    stops("Bye.", { fields: other });
    expect(folders()).toEqual([`claude-code-${world.sessionId}`]);
    expect(world.log()).toContain("Cleared orphaned state");
  });

  it("keeps a corrupt state aside, blocks the stop once with the reason, then allows and names it (R-40)", () => {
    start();
    const [name = ""] = folders();
    writeFileSync(stateFile(name), "{ torn");
    const blocked = stops("<promise>DONE</promise>");
    expect(blocked.isBlocked).toBe(true);
    expect(blocked.said).toContain("The state of this session's Ralph loop cannot be used");
    expect(folders().some((file) => file.includes(".corrupt-"))).toBe(true);
    expect(world.log()).toContain("kept as");
    const allowed = stops("<promise>DONE</promise>");
    expect(allowed.exitCode).toBe(0);
    expect(allowed.json.systemMessage).toContain("The loop ended without verification.");
    expect(stops("Bye.")).toMatchObject({ exitCode: 0, stdout: "" });
  });

  it("refuses a loop whose state cannot be written, and lets the host go on (R-41)", () => {
    mkdirSync(world.state, { recursive: true });
    writeFileSync(join(world.state, "sessions"), "a file");
    const answered = types('/ralph "Fix it"');
    expect(answered.exitCode).toBe(0);
    expect(answered.json.systemMessage).toContain("its state cannot be written");
    // Nobody can tell whether a loop was there: that is said once.
    expect(stops("Bye.")).toMatchObject({
      isBlocked: true,
      said: expect.stringContaining("stop hook failed") as string,
    });
    expect(stops("Bye.").isBlocked).toBe(false);
    chmodSync(join(world.state, "sessions"), 0o600);
  });

  it("waits for background work: the stop is allowed, the loop stays, the next stop goes on (R-38)", () => {
    start();
    const background = world.run("stop", "Stop-background-task");
    expect(background.exitCode).toBe(0);
    expect(background.json.systemMessage).toBe("Ralph loop: waits for sleep 3, then continues.");
    expect(stored().loop.iteration).toBe(1);
    types("A background task ended.");
    expect(stops("Now I know.").said).toContain("Ralph: iteration 2 of 5,");
  });

  it("goes on after background work also when nobody told of its end (R-38)", () => {
    start();
    world.run("stop", "Stop-background-task");
    expect(stops("Now I know.").said).toContain("Ralph: iteration 2 of 5,");
  });

  it("ends at its limit and says so", () => {
    start('/ralph "Fix it" --max-iterations=1');
    const answered = stops("Not yet.");
    expect(answered.exitCode).toBe(0);
    expect(answered.json.systemMessage).toBe("Ralph Loop Stopped Max iterations (1) reached without completion");
    expect(folders()).toEqual([]);
  });

  it("names the host's limit of blocks and goes on with the next word of a person (R-107)", () => {
    start('/ralph "Fix it" --max-iterations=50');
    const active = { fields: { stop_hook_active: true }, env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "2" } };
    expect(stops("a").isBlocked).toBe(true);
    expect(stops("b", active).isBlocked).toBe(true);
    const paused = stops("c", active);
    expect(paused.exitCode).toBe(0);
    expect(paused.json.systemMessage).toContain("after 2 blocked stops in a row");
    expect(paused.json.systemMessage).toContain("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP");
    expect(types("Go on.").json.hookSpecificOutput?.additionalContext).toContain("[RALPH LOOP - ITERATION 4/50]");
    expect(stops("d").said).toContain("Ralph: iteration 5 of 50,");
  });

  it("counts blocks anew after a tool was used, and without end where the host has no limit (R-107)", () => {
    start('/ralph "Fix it" --max-iterations=50');
    const active = { stop_hook_active: true };
    const env = { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "1" };
    expect(stops("a").isBlocked).toBe(true);
    world.says("", { message: { id: "tool", content: [{ type: "tool_use", name: "Bash", input: {} }] } });
    expect(stops("b", { fields: active, env }).isBlocked).toBe(true);
    for (const words of ["c", "d", "e"])
      expect(stops(words, { fields: active, env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: "0" } }).isBlocked).toBe(true);
  });

  it("is shown and cancelled by its commands", () => {
    expect(types("/ralph-status").json.systemMessage).toBe("No Ralph Loop is currently running in this session.");
    start();
    expect(types("/ralph-status").json.systemMessage).toContain("Ralph loop: iteration 1 of 5");
    expect(types("/cancel-ralph").json.systemMessage).toBe("Ralph loop cancelled at iteration 1 of 5.");
    expect(folders()).toEqual([]);
    expect(stops("Bye.")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(types("/cancel-ralph").json.systemMessage).toContain("No Ralph Loop is currently running");
  });

  it.each(["/cancel-ralph", "/ralph:cancel-ralph"])(
    "ends at the next stop when %s was typed while the agent worked (S0-42)",
    (content) => {
      start();
      expect(stops("Working.").isBlocked).toBe(true);
      const typed = { type: "queue-operation", timestamp: new Date().toISOString(), sessionId: world.sessionId };
      world.write({ ...typed, operation: "enqueue", content: "And look at the tests" });
      expect(stops("Working.").isBlocked).toBe(true);
      world.write({ ...typed, operation: "enqueue", content });
      const ended = stops("Working.");
      expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
      expect(ended.json.systemMessage).toBe("Ralph loop cancelled at iteration 3 of 5.");
      expect(folders()).toEqual([]);
    },
  );

  it("stands back inside a run of ralph (CB-06)", () => {
    const env = { RALPH_RUN_ID: "r1" };
    expect(types('/ralph "Fix it"', { env }).json.systemMessage).toContain("Run r1 of ralph drives this session");
    start();
    expect(stops("Bye.", { env })).toMatchObject({ exitCode: 0, stdout: "" });
    expect(stored().loop.iteration).toBe(1);
  });

  it("keeps its state for a session that can be resumed, and clears it with one that cannot", () => {
    start();
    world.run("session-end", "SessionEnd");
    expect(folders()).toHaveLength(1);
    const resumed = world.run("session-start", "SessionStart-resume");
    expect(resumed.json.systemMessage).toBe("This session has a Ralph loop at iteration 1 of 5.");
    const { additionalContext } = resumed.json.hookSpecificOutput ?? {};
    expect(additionalContext).toMatch(/^This session has a Ralph loop at iteration 1 of 5\. [^]*Task:\nFix it\n/);
    expect(additionalContext).toContain("<promise>DONE</promise>");
    world.run("session-end", "SessionEnd", { fields: { reason: "clear" } });
    expect(folders()).toEqual([]);
  });
});

describe("ralph hook", () => {
  it.each([
    [["nothing"], 'There is no hook "nothing".'],
    [["stop", "--host", "nobody"], "No such host"],
    [["stop", "--shout", "1"], "is not understood"],
  ])("refuses %s without stopping its host (CB-17)", ([hook = "", ...words], problem) => {
    const answered = world.run(hook, "Stop-first", { words });
    expect(answered.exitCode).toBe(1);
    expect(answered.stderr).toContain(problem);
    expect(answered.stderr).toContain("Usage: ralph hook");
  });
});
