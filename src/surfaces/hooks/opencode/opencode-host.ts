import { windowTokens } from "../../../core/session/context-alert.ts";
import type { Host } from "../../../app/session/event/host-event.ts";
import { innerHost } from "../../../app/session/event/hosted-session.ts";

/** OpenCode for the hooks that all hosts share. They are called inside its process, so nothing is read or written here. */
export function opencodeHost(directory: string, window: number | null): Host {
  const inner = innerHost(directory);
  return {
    ...inner,
    name: "opencode",
    windowTokens: (env) => window ?? windowTokens(env["RALPH_CONTEXT_WINDOW"]),
    alertFileName: (id) => `opencode-${inner.alertFileName(id)}`,
  };
}
