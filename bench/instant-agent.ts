import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes an agent that reads its prompt, notes it down, answers at once and never claims to be done; returns its path.
 * Its name makes ralph read its output as a stream of events. Agents of the real kind are programs for Node or its like.
 */
export function writeInstantAgent(folder: string, kind: "shell" | "node" = "shell"): string {
  const bin = join(folder, `${kind}-agent`);
  mkdirSync(bin, { recursive: true });
  const path = join(bin, "claude");
  writeFileSync(path, kind === "shell" ? shellScript : nodeScript);
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

const answer = lines.map((line) => JSON.stringify(line)).join("\n");

const shellScript = `#!/bin/sh
prompt=$(cat)
echo "$prompt" >> notes.txt
cat << 'END'
${answer}
END
`;

const nodeScript = `#!${process.execPath}
process.stdin.resume().on("end", () => process.stdout.write(${JSON.stringify(`${answer}\n`)}));
`;
