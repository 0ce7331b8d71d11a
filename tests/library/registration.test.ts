import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

const root = join(import.meta.dirname, "..", "..");

/** A host with types of its own: sessions, a registry of hooks, toasts. It knows nothing of ralph. */
const hostSource = `
export type HookEvent = "session.idle" | "session.error" | "session.deleted" | "tool.before";
export interface HookContext { event: HookEvent; sessionId: string; data?: unknown }
export interface HookResult { isHandled?: boolean }
export interface Hook {
  name: string;
  description?: string;
  priority?: number;
  events: HookEvent[];
  handler: (context: HookContext) => Promise<HookResult | void>;
}
export interface Message { role?: string; content?: string }
export interface Session { id: string; messages: Message[] }
export declare const sessions: {
  getSession(id: string): Promise<Session | undefined>;
  addMessage(id: string, message: Message): Promise<void>;
};
export declare function getHookRegistry(): { register(hook: Hook): void };
export declare function toast(message: { title: string; message: string; variant: string; duration?: number }): void;
export declare const currentSessionId: string;
export declare function parseArgs(text: string): { prompt: string; maxIterations?: number; completionPromise?: string };
`;

/** How such a host registers the loop, starts it by a command, asks for it and cancels it. */
const registrationSource = `
import {
  type RalphLoopConfig,
  type RalphLoopHook,
  type RalphLoopOptions,
  type RalphLoopState,
  type StartLoopOptions,
  buildContinuationPrompt,
  clearState,
  CONTINUATION_PROMPT_TEMPLATE,
  createRalphLoopHook,
  DEFAULT_COMPLETION_PROMISE,
  DEFAULT_CONFIG,
  DEFAULT_CONTINUATION_DELAY,
  DEFAULT_MAX_ITERATIONS,
  detectCompletionPromise,
  detectInMessages,
  detectInTranscript,
  HOOK_NAME,
  incrementIteration,
  readState,
  writeState,
} from "ralph";
import { currentSessionId, getHookRegistry, type Hook, parseArgs, sessions, toast } from "./host.ts";

const loop = createRalphLoopHook({
  workdir: process.cwd(),
  getMessages: async (sessionId) => {
    const session = await sessions.getSession(sessionId);
    return session?.messages ?? [];
  },
  injectPrompt: async (sessionId, prompt) => {
    await sessions.addMessage(sessionId, { role: "user", content: prompt });
  },
  showToast: (shown) => toast(shown),
  checkSessionExists: async (sessionId) => (await sessions.getSession(sessionId)) !== undefined,
});
getHookRegistry().register(loop);
const both: Hook & RalphLoopHook = loop;

export async function onRalph(text: string): Promise<void> {
  const { prompt, maxIterations, completionPromise } = parseArgs(text);
  const isStarted: boolean = loop.startLoop(currentSessionId, prompt, { maxIterations, completionPromise });
  if (isStarted) await sessions.addMessage(currentSessionId, { role: "user", content: prompt });
}

export function onCancel(): void {
  const isCancelled: boolean = both.cancelLoop(currentSessionId);
  if (!isCancelled) toast({ title: "Nothing runs", message: "There is no loop to cancel", variant: "info" });
}

const options: RalphLoopOptions = { config: { enabled: true, stateDir: "/tmp/loops" } };
const config: RalphLoopConfig = { ...DEFAULT_CONFIG, defaultMaxIterations: 50 };
const start: StartLoopOptions = { maxIterations: 50, completionPromise: "REFACTOR_COMPLETE", description: "database" };
const state: RalphLoopState | null = loop.getState(currentSessionId) ?? loop.getState();
const isActive: boolean = loop.isLoopActive(currentSessionId);
const next: RalphLoopState | null = incrementIteration(".", config.stateDir);
const stored: boolean = state !== null && writeState(".", state, "/tmp/loops") && clearState(".");
const text: string = state === null ? "" : buildContinuationPrompt(CONTINUATION_PROMPT_TEMPLATE, state);
const isSeen: boolean = detectCompletionPromise(text, DEFAULT_COMPLETION_PROMISE) || detectInTranscript(undefined, "DONE");
const found: Promise<boolean> = detectInMessages([{ role: "assistant", content: text }], "DONE");
const facts: [string, number, number, string | undefined, number | undefined] = [
  HOOK_NAME,
  DEFAULT_MAX_ITERATIONS,
  DEFAULT_CONTINUATION_DELAY,
  readState(".")?.lastIterationAt,
  state?.maxIterations,
];
export const used = [options, start, isActive, next, stored, isSeen, found, facts];
`;

/** What the compiler says of a host that registers the loop; nothing when all is well. */
function check(isExact: boolean): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-registration-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const compilerOptions = {
    target: "es2024",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: isExact,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
    paths: { ralph: [join(root, "docs", "api.d.ts")] },
  };
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(join(folder, "host.ts"), hostSource);
  writeFileSync(join(folder, "registration.ts"), registrationSource);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    return execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
  }
}

describe("a host that registers the loop among its own hooks", () => {
  it.each([[false], [true]])(
    "compiles against the public types, with exact optional properties: %s (S0-06, S0-08, S0-44)",
    (isExact) => expect(check(isExact)).toBe(""),
  );
});
