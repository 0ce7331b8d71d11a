import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes an agent that reads its prompt, notes it down, answers at once and never claims to be done; returns its path.
 * Its name makes ralph read its output as a stream of events.
 */
export function writeInstantAgent(folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  const path = join(bin, "claude");
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

const usage = { input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 900, output_tokens: 12 };

const lines = [
  { type: "system", subtype: "init", cwd: "/", session_id: "s-1", tools: ["Bash", "Edit"], model: "instant" },
  {
    type: "assistant",
    message: { id: "m-1", role: "assistant", model: "instant", content: [{ type: "text", text: "Going on." }], usage },
    parent_tool_use_id: null,
    session_id: "s-1",
  },
  {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "Going on.",
    session_id: "s-1",
    total_cost_usd: 0.001,
    usage,
  },
];

const script = `#!/bin/sh
prompt=$(cat)
echo "$prompt" >> notes.txt
cat << 'END'
${lines.map((line) => JSON.stringify(line)).join("\n")}
END
`;
