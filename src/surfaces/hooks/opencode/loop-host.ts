import { resolve } from "node:path";
import type { Toast } from "../../../core/session/loop/loop-notice.ts";
import type { SessionMessage } from "../../../core/session/session-message.ts";
import type { LoopLog } from "../../../shell/sessions/loop-log.ts";
import type { RalphLoopHookOptions } from "../loop/loop-hook.ts";
import { dataOf, fieldsOf, type OpencodeClient, type PromptBody, textIn } from "./opencode-client.ts";
import { addresseeOf, readMessages } from "./read-messages.ts";
import type { SessionTree } from "./session-tree.ts";

/** The host as the loop sees it; what is named here is always there. */
export type LoopHost = RalphLoopHookOptions & {
  getMessages: (sessionId: string) => Promise<readonly SessionMessage[]>;
  injectPrompt: (sessionId: string, prompt: string) => Promise<unknown>;
  showToast: (toast: Toast) => void;
  log: LoopLog;
};

/** What the loop needs of this host, by its client. Toasts and log lines are sent and forgotten: nothing waits for them. */
export function loopHostOf(
  client: OpencodeClient,
  { directory, tree }: { directory: string; tree: SessionTree },
): LoopHost {
  const addressees = new Map<string, Pick<PromptBody, "agent" | "model">>();
  return {
    hostName: "opencode",
    workdir: resolve(directory),
    async getMessages(sessionId) {
      const data = dataOf(await client.session.messages({ path: { id: sessionId } }));
      addressees.set(sessionId, addresseeOf(data));
      return readMessages(data);
    },
    async injectPrompt(sessionId, prompt) {
      const body = { parts: [{ type: "text" as const, text: prompt }], ...addressees.get(sessionId) };
      dataOf(await client.session.promptAsync({ path: { id: sessionId }, body }));
    },
    async checkSessionExists(sessionId) {
      const { data, error } = await client.session.get({ path: { id: sessionId } });
      if (error === undefined || error === null) return data !== undefined;
      if (textIn(fieldsOf(error)["name"]) === "NotFoundError") return false;
      throw new Error("the host could not say");
    },
    hasPendingWork: async (sessionId) => tree.hasBusyChild(sessionId),
    showToast: (toast) => forget(() => client.tui.showToast({ body: toast })),
    log({ level, text, fields }) {
      const body = { service: "ralph", level: levels[level], message: text, extra: fields };
      forget(() => client.app.log({ body }));
    },
  };
}

const levels = { info: "info", warning: "warn", error: "error" } as const;

function forget(send: () => Promise<unknown>): void {
  Promise.resolve()
    .then(send)
    // There is no other place to say it: a host without a screen has no toasts, and the console is the screen.
    .catch(() => undefined);
}
