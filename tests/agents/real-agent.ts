import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ToolCall } from "./model-dialect.ts";
import { faultyLine, repairedLine, type Scratch } from "./scratch.ts";

/** What it takes to run one real agent program offline and let it repair the scratch project. */
export type RealAgent = {
  name: "claude" | "codex" | "opencode";
  /** Allows edits. */
  flags: readonly string[];
  /** The fake key the model must be asked with, as header and value. */
  keyHeader: { name: string; value: string };
  /** Writes what the program reads from its home, and returns the variables it needs. */
  prepare(scratch: Scratch, modelUrl: string): Record<string, string>;
  /** Calls of the program's own tools that repair `add.sh`, one a model turn. */
  repair(scratch: Scratch): ToolCall[];
  /** Runs a command by the program's own shell tool. */
  shell(command: string): ToolCall;
};

const fakeKey = "sk-fake";

const claude: RealAgent = {
  name: "claude",
  flags: ["--dangerously-skip-permissions"],
  keyHeader: { name: "x-api-key", value: fakeKey },
  prepare: (_scratch, modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: fakeKey,
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // As root the program refuses to skip permissions unless it is told that it is in a sandbox.
    IS_SANDBOX: "1",
  }),
  repair(scratch) {
    const file = join(scratch.project, "add.sh");
    return [
      { name: "Read", input: { file_path: file } },
      { name: "Edit", input: { file_path: file, old_string: faultyLine, new_string: repairedLine } },
    ];
  },
  shell: (command) => ({ name: "Bash", input: { command, description: "Run a command" } }),
};

const codex: RealAgent = {
  name: "codex",
  flags: ["-s", "workspace-write"],
  keyHeader: { name: "authorization", value: `Bearer ${fakeKey}` },
  prepare(scratch, modelUrl) {
    const folder = join(scratch.home, ".codex");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), codexConfig(modelUrl));
    return { CODEX_HOME: folder, OPENAI_API_KEY: fakeKey };
  },
  repair: () => [
    {
      name: "apply_patch",
      input: `*** Begin Patch\n*** Update File: add.sh\n@@\n-${faultyLine}\n+${repairedLine}\n*** End Patch\n`,
    },
  ],
  shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
};

/** The model is one the program knows; plugins off saves 5 s a run without network. */
function codexConfig(modelUrl: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
check_for_update_on_startup = false
[features]
plugins = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
}

const opencode: RealAgent = {
  name: "opencode",
  flags: [],
  keyHeader: { name: "authorization", value: `Bearer ${fakeKey}` },
  prepare(scratch, modelUrl) {
    const folder = join(scratch.home, ".config", "opencode");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(opencodeConfig(modelUrl)));
    return {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      // With a plugin or a `.opencode` folder it asks the registry at every start; nothing listens on this port.
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_fetch_retries: "0",
    };
  },
  repair(scratch) {
    const file = join(scratch.project, "add.sh");
    return [
      { name: "read", input: { filePath: file } },
      { name: "edit", input: { filePath: file, oldString: faultyLine, newString: repairedLine } },
    ];
  },
  shell: (command) => ({ name: "bash", input: { command, description: "Run a command" } }),
};

function opencodeConfig(modelUrl: string): Record<string, unknown> {
  const models = { scripted: { tool_call: true, limit: { context: 200_000, output: 8192 } } };
  const options = { baseURL: `${modelUrl}/v1`, apiKey: fakeKey };
  return {
    provider: { scripted: { npm: "@ai-sdk/openai-compatible", options, models } },
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    autoupdate: false,
    share: "disabled",
  };
}

/** The real programs a loop is proven with. */
export const realAgents = { claude, codex, opencode } as const;

/**
 * The installed programs, by agent, as `scripts/test-agents.js` hands them over: `{"claude": "/…/claude"}`.
 * Empty when the tests run without them.
 */
export function installedPrograms(): z.output<typeof programsSchema> {
  const handed = process.env["RALPH_TEST_AGENTS"];
  return handed === undefined ? {} : programsSchema.parse(JSON.parse(handed));
}

const programsSchema = z.strictObject({
  claude: z.string().optional(),
  codex: z.string().optional(),
  opencode: z.string().optional(),
});
