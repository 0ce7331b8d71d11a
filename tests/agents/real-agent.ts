import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { ToolCall } from "./model-dialect.ts";
import { faultyLine, repairedLine, type Scratch } from "./scratch.ts";

/** What it takes to run one real agent program offline and let it repair the scratch project. */
export type RealAgent = {
  name: "claude" | "codex" | "opencode" | "gemini" | "copilot";
  /** Allows edits. */
  flags: readonly string[];
  /** Variables that make it ask before an edit, and the flag a person is told to add. Null: it never asks. */
  asksFirst: { environment: Record<string, string>; remedy: string } | null;
  /** The variable that a person must look at when the key is refused. */
  keyVariable: string;
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
  asksFirst: { environment: {}, remedy: "--permission-mode acceptEdits" },
  keyVariable: "ANTHROPIC_API_KEY",
  keyHeader: { name: "x-api-key", value: fakeKey },
  prepare: (_scratch, modelUrl) => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: fakeKey,
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    // A refused key is tried again for three minutes.
    CLAUDE_CODE_MAX_RETRIES: "0",
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
  asksFirst: null,
  keyVariable: "OPENAI_API_KEY",
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
  asksFirst: {
    environment: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ permission: { edit: "ask", bash: "ask" } }) },
    remedy: "--auto",
  },
  keyVariable: "OPENAI_API_KEY",
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

const gemini: RealAgent = {
  name: "gemini",
  flags: ["--yolo"],
  asksFirst: { environment: {}, remedy: "--yolo" },
  keyVariable: "GEMINI_API_KEY",
  keyHeader: { name: "x-goog-api-key", value: fakeKey },
  prepare(scratch, modelUrl) {
    const folder = join(scratch.home, ".gemini");
    mkdirSync(folder, { recursive: true });
    const settings = { security: { auth: { selectedType: "gemini-api-key" } }, telemetry: { enabled: false } };
    writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
    return {
      GEMINI_API_KEY: fakeKey,
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      // Left to itself it asks another model first which model to ask.
      GEMINI_MODEL: "gemini-2.5-flash",
    };
  },
  repair(scratch) {
    const file = join(scratch.project, "add.sh");
    const change = { old_string: faultyLine, new_string: repairedLine, instruction: "Add instead of subtract." };
    return [
      { name: "read_file", input: { file_path: file } },
      { name: "replace", input: { file_path: file, ...change } },
    ];
  },
  shell: (command) => ({ name: "run_shell_command", input: { command, description: "Run a command" } }),
};

const copilot: RealAgent = {
  name: "copilot",
  flags: ["--allow-all-tools"],
  asksFirst: { environment: {}, remedy: "--allow-all-tools" },
  keyVariable: "COPILOT_PROVIDER_API_KEY",
  keyHeader: { name: "authorization", value: `Bearer ${fakeKey}` },
  prepare: (_scratch, modelUrl) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_API_KEY: fakeKey,
    COPILOT_MODEL: "scripted",
  }),
  repair(scratch) {
    const path = join(scratch.project, "add.sh");
    return [
      { name: "view", input: { path } },
      { name: "edit", input: { path, old_str: faultyLine, new_str: repairedLine } },
    ];
  },
  shell: (command) => ({ name: "bash", input: { command, description: "Run a command" } }),
};

/** The real programs a loop is proven with. */
export const realAgents = { claude, codex, opencode, gemini, copilot } as const;

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
  gemini: z.string().optional(),
  copilot: z.string().optional(),
});
