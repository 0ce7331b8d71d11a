import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import type { PluginHooks, PluginInput, PluginOptions } from "../../src/surfaces/hooks/opencode/opencode-plugin.ts";

/** The host as the bundled plugin sees it: its client, its events, and a clock that the test moves. */
export type FakeOpencode = {
  directory: string;
  /** Prompts the plugin injected. */
  prompts: { id: string; body: Record<string, unknown> }[];
  toasts: { title: string; message: string; variant: string }[];
  log: string[];
  /** How often the plugin asked for messages. */
  asked: { count: number };
  hooks: PluginHooks;
  /** Loads the plugin once more, as an installation in a second place does. */
  load(options?: PluginOptions): Promise<PluginHooks>;
  /** A recorded event, as one of this session. */
  send(name: string, sessionId?: string, change?: Record<string, unknown>): Promise<void>;
  /** Performs a command as the host does: the hook, then the message that its parts make. */
  command(name: string, line: string, sessionId?: string): Promise<string>;
  /** The agent's answer; extra fields go into its `info`, parts beside the text. */
  says(text: string, given?: { sessionId?: string; info?: object; parts?: object[] }): void;
  /** The end of a turn: both events the host sends. */
  idle(sessionId?: string): Promise<void>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Replaces an answer of the client. */
  answer: { promptAsync: () => Promise<object>; get: (id: string) => object; showToast: () => Promise<unknown> };
  close(): void;
};

/** The session of every recorded event. */
export const session = "ses_e1f80c768ffeOKPiP63q4TZZi6";

type Message = { info: Record<string, unknown>; parts: object[] };

/** Opens a host with the bundled plugin. Times are faked; whoever opens one closes it. */
export async function openOpencode(options: PluginOptions = { guard: "in-loops" }): Promise<FakeOpencode> {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 15, 12) });
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "ralph-opencode-")));
  vi.stubEnv("RALPH_STATE_HOME", join(directory, "state"));
  const messages = new Map<string, Message[]>();
  const of = (id: string): Message[] => messages.get(id) ?? messages.set(id, []).get(id) ?? [];
  const prompts: FakeOpencode["prompts"] = [];
  const toasts: FakeOpencode["toasts"] = [];
  const log: string[] = [];
  const asked = { count: 0 };
  const add = (id: string, message: Message): void => {
    of(id).push({ ...message, info: { sessionID: id, time: { created: Date.now() }, ...message.info } });
  };
  const answer: FakeOpencode["answer"] = {
    promptAsync: async () => ({ data: undefined }),
    get: (id) => ({ data: { id } }),
    showToast: async () => true,
  };
  const client = {
    session: {
      messages: async ({ path }: { path: { id: string } }) => {
        asked.count += 1;
        return { data: structuredClone(of(path.id)) };
      },
      get: async ({ path }: { path: { id: string } }) => answer.get(path.id),
      promptAsync: async ({ path: { id }, body }: { path: { id: string }; body: Record<string, unknown> }) => {
        const answered = await answer.promptAsync();
        if ("error" in answered) return answered;
        prompts.push({ id, body });
        add(id, { info: { role: "user" }, parts: body["parts"] as object[] });
        return answered;
      },
    },
    tui: {
      showToast: ({ body }: { body: FakeOpencode["toasts"][number] }) => {
        toasts.push(body);
        return answer.showToast();
      },
    },
    app: { log: async ({ body }: { body: { message: string } }) => log.push(body.message) },
  };
  const plugin = await importPlugin();
  const load = (given: PluginOptions = options): Promise<PluginHooks> => plugin({ client, directory }, given);
  const hooks = await load(options);
  const pass = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms);
  };
  const send: FakeOpencode["send"] = async (name, sessionId = session, change = {}) => {
    const text = JSON.stringify(recorded(`event.${name}`)).replaceAll(/ses_[A-Za-z0-9]+/g, sessionId);
    const event = JSON.parse(text) as { type: string; properties: Record<string, unknown> };
    void hooks.event?.({ event: { ...event, properties: { ...event.properties, ...change } } });
    await pass(0);
  };
  return {
    directory,
    prompts,
    toasts,
    log,
    asked,
    hooks,
    load,
    send,
    async command(name, line, sessionId = session) {
      const parts: { type: string; text?: string }[] = [{ type: "text", text: line }];
      const input = { ...recordedInput("hook.command.execute.before"), command: name, arguments: line };
      const before = hooks["command.execute.before"]?.({ ...input, sessionID: sessionId }, { parts });
      const refused = before?.then(
        () => null,
        (error: unknown) => error,
      );
      await pass(0);
      const thrown = await refused;
      if (thrown instanceof Error) throw thrown;
      add(sessionId, { info: { role: "user", agent: "build", model: recordedModel }, parts });
      return parts[0]?.text ?? "";
    },
    says(text, { sessionId = session, info = {}, parts = [] } = {}) {
      add(sessionId, { info: { role: "assistant", ...info }, parts: [{ type: "text", text }, ...parts] });
    },
    async idle(sessionId = session) {
      await send("session.status-idle", sessionId);
      await send("session.idle", sessionId);
    },
    pass,
    answer,
    close() {
      void hooks.dispose?.();
      vi.useRealTimers();
      vi.unstubAllEnvs();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** What the real host was seen to send. */
export function recorded(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(fixtures, `${name}.json`), "utf8")) as Record<string, unknown>;
}

const fixtures = join(import.meta.dirname, "..", "fixtures", "hooks", "opencode");
const recordedModel = { providerID: "fake", modelID: "fake-model" };

function recordedInput(name: string): Record<string, unknown> {
  return recorded(name)["input"] as Record<string, unknown>;
}

/** The very file that is installed. */
export const bundle = join(import.meta.dirname, "..", "..", "dist", "opencode-plugin.js");

type Plugin = (input: PluginInput, options?: PluginOptions) => Promise<PluginHooks>;

async function importPlugin(): Promise<Plugin> {
  const module: { RalphPlugin: Plugin } = await import(/* @vite-ignore */ pathToFileURL(bundle).href);
  return module.RalphPlugin;
}
