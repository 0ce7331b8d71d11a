import { createRalphLoopHook, type RalphLoopHook } from "../loop-hook.ts";
import { addLoopCommands, performLoopCommand } from "./loop-commands.ts";
import { loopHostOf } from "./loop-host.ts";
import { fieldsOf, type OpencodeClient, textIn } from "./opencode-client.ts";
import { createSessionTree, type SessionTree } from "./session-tree.ts";

/** What the host hands a plugin; the rest of it is not used. */
export type PluginInput = { client: OpencodeClient; directory: string };

/** The hooks of the host that we answer. Only what refuses a command or a tool may throw. */
export type PluginHooks = {
  config?: (config: unknown) => Promise<void>;
  event?: (input: { event: HostNews }) => Promise<void>;
  "command.execute.before"?: (input: unknown, output: { parts: unknown[] }) => Promise<void>;
  dispose?: () => Promise<void>;
};

type HostNews = { type: string; properties?: unknown };

/** How the plugin was installed. */
export type PluginOptions = { guard?: "in-loops" | "always" };

/**
 * The plugin: loops inside the host's sessions. The host calls every export of this file, so this is the only one.
 * It stands back where ralph itself runs the agent.
 */
export const RalphPlugin = async (input: PluginInput, _options: PluginOptions = {}): Promise<PluginHooks> => {
  if ((process.env["RALPH_RUN_ID"] ?? "") !== "") return {};
  return loopHooks(input);
};

function loopHooks({ client, directory }: PluginInput): PluginHooks {
  const tree = createSessionTree();
  const host = loopHostOf(client, { directory, tree });
  const hook = createRalphLoopHook(host);
  const isNewest = claimDirectory(directory, () => hook.dispose());
  const refusal = refusalOf(process.argv);
  return {
    config: async (config) => addLoopCommands(config),
    async event({ event }) {
      tree.hear(event);
      if (!isNewest()) return;
      if (refusal === null) return tellLoop(hook, tree, event);
      const sessionId = textIn(fieldsOf(event.properties)["sessionID"]) ?? "";
      if (event.type === "session.idle" && hook.isLoopActive(sessionId))
        host.log({ level: "warning", text: `[ralph-loop] The loop waits: ${refusal}`, fields: { sessionId } });
    },
    async "command.execute.before"(call, { parts }) {
      const { command, sessionID, arguments: line } = fieldsOf(call);
      const sessionId = textIn(sessionID);
      if (!isNewest() || sessionId === null || typeof command !== "string") return;
      const order = { command, sessionId, arguments: typeof line === "string" ? line : "", parts };
      await performLoopCommand(order, { hook, showToast: host.showToast, refusal });
    },
    dispose: async () => hook.dispose(),
  };
}

/** Sub-agents have sessions of their own; they come and go while the loop's turn goes on. */
async function tellLoop(hook: RalphLoopHook, tree: SessionTree, { type, properties }: HostNews): Promise<void> {
  const { sessionID, info } = fieldsOf(properties);
  const sessionId = textIn(sessionID) ?? textIn(fieldsOf(info)["id"]);
  if (sessionId === null || tree.isChild(sessionId)) return;
  if (hook.events.includes(type)) await hook.handler({ event: type, sessionId, data: properties });
}

/** The command that ends with its first answer: a prompt given then is taken and lost. */
function refusalOf(words: readonly string[]): string | null {
  if (words[2] !== "run") return null;
  return "`opencode run` ends when the agent stops, so no loop can live in it. Use /ralph in the terminal or under `opencode serve`, or start `ralph run`.";
}

/**
 * Installed for the user and for the project, the plugin is loaded twice; a host that reloads loads it again. The newest
 * one of a directory works, the others fall silent.
 */
function claimDirectory(directory: string, fallSilent: () => void): () => boolean {
  const found: unknown = Reflect.get(globalThis, owners);
  const known = isOwners(found) ? found : new Map<string, () => void>();
  Reflect.set(globalThis, owners, known);
  known.get(directory)?.();
  known.set(directory, fallSilent);
  return () => known.get(directory) === fallSilent;
}

const owners = Symbol.for("ralph.opencode.directories");

function isOwners(value: unknown): value is Map<string, () => void> {
  return value instanceof Map;
}
