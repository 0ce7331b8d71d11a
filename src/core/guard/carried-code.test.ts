import { expect, it } from "vitest";
import { judgeToolCall } from "./judge-tool-call.ts";

const place = { workTree: "/w", home: "/h", tempFolder: "/tmp", cwd: "/w", store: "/s", allow: [] };

it.each<[string, unknown, string]>([
  ["mcp__a__execute_command", { input: "rm -rf /" }, "block"],
  ["mcp__a__run", { deep: { any: ["ls", "rm -rf /"] } }, "block"],
  ["mcp__a__python", { code: "import os; os.system('rm -rf /')" }, "block"],
  ["mcp__a__ruby", { code: "`rm -rf ~`" }, "block"],
  ["mcp__a__run_cell", { source: "%%bash\nrm -rf ~" }, "block"],
  ["mcp__a__start_process", { path: "/bin/rm", args: ["-rf", "/"] }, "block"],
  ["mcp__a__tool", { shell_cmd: "rm -rf ~" }, "block"],
  ["mcp__a__tool", { bashCommand: "rm -rf ~" }, "block"],
  ["mcp__a__run", { command: "ls", description: "never rm -rf ~" }, "allow"],
  ["mcp__a__run_search", { query: "rm -rf ~" }, "allow"],
  ["mcp__a__python", { code: "print('a' \n" }, "allow"],
  ["mcp__a__review", { code: "rm -rf ~" }, "allow"],
])(
  "%s %j: %s, for a tool that promises to run something runs what any field holds (R-121)",
  (tool, input, expected) => {
    expect(judgeToolCall({ tool, input, place }).decision).toBe(expected);
  },
);
