import { thrownText } from "../../../core/text/thrown-text.ts";
import { type HookTools, openTools, runIdOf } from "../../../app/session/event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "../../../app/session/event/host-event.ts";
import { postToolUse } from "../../../app/session/post-tool-use.ts";
import { preToolUse, refuseUnjudged } from "../../../app/session/pre-tool-use.ts";
import { fieldsOf, textIn } from "./opencode-client.ts";
import { toolEvent } from "../../../app/session/event/hosted-session.ts";
import { opencodeHost } from "./opencode-host.ts";
import type { SessionTree } from "./session-tree.ts";

/** The hooks of the host around a tool call, and a listener that learns how full a session's context is. */
export type ToolHooks = {
  hooks: {
    "tool.execute.before": (input: unknown, output: { args?: unknown }) => Promise<void>;
    "tool.execute.after": (input: unknown, output: { output?: unknown }) => Promise<void>;
    "chat.params": (input: unknown) => Promise<void>;
  };
  hear(event: { type: string; properties?: unknown }): void;
};

type Guarding = { directory: string; tree: SessionTree; isGuardAlways: boolean; isForRun: boolean };

/**
 * The guard and the context monitor. A refusal is thrown: the host gives its words to the agent instead of the tool's
 * answer. A warning cannot be said before the call, so it stands below the answer.
 */
export function createToolHooks(guarding: Guarding): ToolHooks {
  const { directory, tree, isGuardAlways, isForRun } = guarding;
  const usage = new Map<string, number>();
  const windows = new Map<string, number>();
  const warnings = new Map<string, string>();
  // A sub-agent works for the session above it: a loop there is guarded down here too.
  const open = ({ sessionId, name, input }: Call): [HostEvent, HookTools] => {
    const root = tree.rootOf(sessionId);
    const options = { isGuardAlways, isForRun, timeoutMs: 0 };
    const event = { sessionId: root, directory, isSubagent: root !== sessionId, tool: { name, input } };
    return [
      toolEvent({ ...event, tokens: usage.get(root) ?? null }),
      openTools(opencodeHost(directory, windows.get(root) ?? null), options),
    ];
  };
  return {
    hooks: {
      async "tool.execute.before"(input, { args }) {
        const call = readCall(input, args);
        const [event, tools] = open(call);
        const { deny, context } = await preToolUse(event, tools).catch((error: unknown) => unjudged(tools, error));
        if (deny !== undefined) throw new Error(deny);
        if (context !== undefined) remember(warnings, call.id, context);
      },
      async "tool.execute.after"(input, output) {
        const call = readCall(input, fieldsOf(input)["args"]);
        const [event, tools] = open(call);
        // The alerts speak of the task list of a run; a person's own session hears none.
        const alert = runIdOf(tools) === null ? undefined : alertOf(event, tools);
        const added = [warnings.get(call.id), alert].filter((text) => text !== undefined);
        warnings.delete(call.id);
        if (added.length > 0 && typeof output.output === "string")
          output.output = [output.output, ...added].join("\n\n");
      },
      async "chat.params"(input) {
        const { sessionID, model } = fieldsOf(input);
        const { context } = fieldsOf(fieldsOf(model)["limit"]);
        if (typeof sessionID === "string" && typeof context === "number" && context > 0)
          remember(windows, sessionID, context);
      },
    },
    hear({ type, properties }) {
      const { role, sessionID, tokens } = fieldsOf(fieldsOf(properties)["info"]);
      if (type !== "message.updated" || role !== "assistant" || typeof sessionID !== "string") return;
      const total = totalOf(tokens);
      if (total > 0) remember(usage, sessionID, total);
    },
  };
}

type Call = { id: string; sessionId: string; name: string; input: unknown };

function readCall(input: unknown, args: unknown): Call {
  const { tool, sessionID, callID } = fieldsOf(input);
  return { id: textIn(callID) ?? "", sessionId: textIn(sessionID) ?? "", name: textIn(tool) ?? "", input: args };
}

/** After a fault of ralph the host continues, unless nothing else protects the machine. */
function unjudged(tools: HookTools, error: unknown): HookAnswer {
  const fault = thrownText(error);
  tools.log({ level: "error", text: "[guard] met a fault of its own", fields: { error: fault } });
  return refuseUnjudged(tools, fault);
}

function alertOf(event: HostEvent, tools: HookTools): string | undefined {
  try {
    return postToolUse(event, tools).context;
  } catch (error) {
    const fault = thrownText(error);
    tools.log({ level: "error", text: "[hook] the context monitor met a fault of its own", fields: { error: fault } });
    return undefined;
  }
}

function totalOf(tokens: unknown): number {
  const { input, output, cache } = fieldsOf(tokens);
  const { read, write } = fieldsOf(cache);
  return [input, output, read, write].reduce<number>((sum, each) => sum + (typeof each === "number" ? each : 0), 0);
}

/** Sessions and calls in flight; the oldest of so many are over. */
const rememberedMax = 1000;

function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > rememberedMax && oldest !== undefined) known.delete(oldest);
}
