import { mayLoop } from "../../../core/session/stops/inside-run.ts";
import { thrownText } from "../../../core/text/thrown-text.ts";
import { runIdOf } from "../../../app/session/event/hook-tools.ts";
import { createRalphLoopHook, type RalphLoopHook } from "../loop/loop-hook.ts";
import { addLoopCommands, performLoopCommand } from "./loop-commands.ts";
import { createLoopCriteria } from "./loop-criteria.ts";
import { loopHostOf } from "./loop-host.ts";
import { createNativeStops } from "./native-stops.ts";
import { fieldsOf, type OpencodeClient, textIn } from "./opencode-client.ts";
import { createSessionTree, type SessionTree } from "./session-tree.ts";
import { createToolHooks } from "./tool-hooks.ts";

/** What the host hands a plugin; the rest of it is not used. */
export type PluginInput = { client: OpencodeClient; directory: string };

/** The hooks of the host that we answer. Only what refuses a command or a tool may throw. */
export type PluginHooks = {
  config?: (config: unknown) => Promise<void>;
  event?: (input: { event: HostNews }) => Promise<void>;
  "command.execute.before"?: (input: unknown, output: { parts: unknown[] }) => Promise<void>;
  "tool.execute.before"?: (input: unknown, output: { args?: unknown }) => Promise<void>;
  "tool.execute.after"?: (input: unknown, output: { output?: unknown }) => Promise<void>;
  "chat.params"?: (input: unknown) => Promise<void>;
  dispose?: () => Promise<void>;
};

type HostNews = { type: string; properties?: unknown };

/** How the plugin was installed. A run of ralph gives it to its agent without any. */
export type PluginOptions = { guard?: "in-loops" | "always" };

/**
 * The plugin: loops inside the host's sessions, and the guard. The host calls every export of this file, so this is the
 * only one. Where ralph itself runs the agent there are no loops in here, but the guard is on.
 */
export const RalphPlugin = async (input: PluginInput, options: PluginOptions = {}): Promise<PluginHooks> => {
  const runId = runIdOf({ env: process.env });
  try {
    return openHooks(input, options, runId);
  } catch (error) {
    // In a run nobody watches, so it must not continue unguarded; elsewhere a fault of ralph does not break the host.
    if (runId !== null) throw error;
    const message = `The plugin is off: ${thrownText(error)}`;
    const { log, showToast } = loopHostOf(input.client, { directory: input.directory, tree: createSessionTree() });
    log({ level: "error", text: `[ralph-loop] ${message}`, fields: {} });
    showToast({ title: "Ralph", message, variant: "error", duration: 5000 });
    return {};
  }
};

function openHooks(input: PluginInput, { guard }: PluginOptions, runId: string | null): PluginHooks {
  const { directory } = input;
  const tree = createSessionTree();
  const tools = createToolHooks({ directory, tree, isGuardAlways: guard === "always", isForRun: guard === undefined });
  const loops = mayLoop(runId) ? loopHooks(input, tree) : {};
  return {
    ...loops,
    ...tools.hooks,
    async event({ event }) {
      tree.hear(event);
      tools.hear(event);
      await loops.event?.({ event });
    },
  };
}

function loopHooks({ client, directory }: PluginInput, tree: SessionTree): PluginHooks {
  const host = loopHostOf(client, { directory, tree });
  const criteria = createLoopCriteria(directory, host.getMessages);
  const hook = createRalphLoopHook({
    ...host,
    criteria: criteria.checks,
    hasChanged: (sessionId) => criteria.hasChanged(sessionId),
  });
  const stops = createNativeStops({ directory, host, tree, hasLoop: (sessionId) => hook.isLoopActive(sessionId) });
  const dispose = (): void => {
    hook.dispose();
    stops.close();
  };
  const isNewest = claimDirectory(directory, dispose);
  const refusal = refusalOf(process.argv);
  return {
    config: async (config) => addLoopCommands(config),
    async event({ event }) {
      if (!isNewest()) return;
      const sessionId = textIn(fieldsOf(event.properties)["sessionID"]) ?? "";
      if (event.type === "session.deleted" && sessionId !== "") criteria.forget(sessionId);
      if (refusal === null) {
        // Told first: the loop may end with this very event, and then the stop was judged.
        void stops.hear(event);
        return tellLoop(hook, tree, event);
      }
      if (event.type === "session.idle" && hook.isLoopActive(sessionId))
        host.log({ level: "warning", text: `[ralph-loop] The loop waits: ${refusal}`, fields: { sessionId } });
    },
    async "command.execute.before"(call, { parts }) {
      const { command, sessionID, arguments: line } = fieldsOf(call);
      const sessionId = textIn(sessionID);
      if (!isNewest() || sessionId === null || typeof command !== "string") return;
      const order = { command, sessionId, arguments: typeof line === "string" ? line : "", parts };
      await performLoopCommand(order, {
        hook,
        showToast: host.showToast,
        refusal,
        prepare: (id) => criteria.prepare(id),
      });
    },
    dispose: async () => dispose(),
  };
}

/** Sub-agents have sessions of their own; they come and go during the loop's turn. */
async function tellLoop(hook: RalphLoopHook, tree: SessionTree, { type, properties }: HostNews): Promise<void> {
  const { sessionID, info } = fieldsOf(properties);
  const sessionId = textIn(sessionID) ?? textIn(fieldsOf(info)["id"]);
  if (sessionId === null || tree.isChild(sessionId)) return;
  if (hook.events.some((event) => event === type)) await hook.handler({ event: type, sessionId, data: properties });
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
