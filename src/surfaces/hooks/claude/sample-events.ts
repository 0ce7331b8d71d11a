import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** One call of a hook: its words, and what the host writes to it. */
export type SampleEvent = { words: readonly string[]; fields: Readonly<Record<string, unknown>> };

/** A session from begin to end, with a loop that continues once and completes, in a folder of its own. */
export function sampleEvents(folder: string): SampleEvent[] {
  const transcript_path = join(folder, "transcript.jsonl");
  const said = (text: string): string =>
    JSON.stringify({
      type: "assistant",
      timestamp: new Date().toISOString(),
      version: "2.1.325",
      message: { id: "m", role: "assistant", content: [{ type: "text", text }], usage: { input_tokens: 1 } },
    });
  writeFileSync(transcript_path, `${said("Not yet.")}\n${said("Still at it.")}\n`);
  const session_id = "00000000-0000-4000-8000-000000000000";
  const event = (hook: string, hook_event_name: string, fields: Record<string, unknown> = {}): SampleEvent => ({
    words: [hook, "--host", "claude-code"],
    fields: { hook_event_name, session_id, transcript_path, cwd: folder, ...fields },
  });
  const before = (tool_name: string, tool_input: Record<string, unknown>, hook = "pre-tool-use"): SampleEvent =>
    event(hook, "PreToolUse", { tool_name, tool_input });
  const stop = (last_assistant_message: string): SampleEvent => event("stop", "Stop", { last_assistant_message });
  return [
    event("session-start", "SessionStart", { source: "startup" }),
    stop("Hello."),
    event("user-prompt-submit", "UserPromptSubmit", { prompt: "/ralph Do it --max-iterations 5" }),
    event("user-prompt-submit", "UserPromptSubmit", { prompt: "And look at it." }),
    before("Bash", { command: "cd src && npm test -- --run 2>&1 | tail -5; git status" }),
    before("Bash", { command: "rm -rf /" }),
    before("Edit", { file_path: join(folder, "a.txt"), old_string: "a", new_string: "b" }),
    event("post-tool-use", "PostToolUse", { tool_name: "Bash", tool_input: {}, tool_response: {} }),
    stop("Still at it."),
    event("session-start", "SessionStart", { source: "resume" }),
    event("session-end", "SessionEnd", { reason: "exit" }),
    stop("<promise>DONE</promise>"),
    event("session-end", "SessionEnd", { reason: "clear" }),
  ];
}
