import type { Failure } from "../../core/agents/agent-event.ts";
import { addSpend, noSpend, type Spend } from "../../core/agents/spend.ts";
import type { Channel } from "./channel.ts";
import { cutText } from "./cut-text.ts";
import type { DeniedTool, SimTool, ToolEnd } from "./formats/sim-event.ts";

/** What a reader of the stream sees. Every word and every tool call is a message of its own. */
export type Stage = {
  begin(): Promise<void>;
  say(text: string, chunks: number): Promise<void>;
  think(text: string): Promise<void>;
  echo(): Promise<void>;
  /** Shows a tool call; `use` does the work in between. */
  useTool(tool: SimTool, use: () => Promise<ToolEnd>): Promise<void>;
  /** Text in pieces of one message, for floods. */
  stream(pieces: Iterable<string>): Promise<void>;
  raw(text: string): Promise<void>;
  /** What has been spent since is told with the next message, and all of it with the result. */
  spend(spend: Spend): void;
  /** Ends the open message, so that a silence follows a finished one. */
  settle(): Promise<void>;
  result(text: string | null, failure: Failure | null): Promise<void>;
  /** Whether anything was shown since the last result. */
  isResultDue(): boolean;
};

/** Opens the stage for one turn. */
export function openStage(channel: Channel): Stage {
  const denied: DeniedTool[] = [];
  let toolCount = 0;
  let resultCount = 0;
  let isResultDue = true;
  let lastText = "";
  let total = noSpend;
  let sinceResult = noSpend;

  const begin = (): ReturnType<Channel["beginMessage"]> => {
    isResultDue = true;
    return channel.beginMessage();
  };
  return {
    begin: () => channel.emit({ type: "began" }),
    say: async (text, chunks) => {
      lastText = text;
      await channel.emit({ type: "text", ...(await begin()), chunks: cutText(text, chunks) }, chunks);
    },
    think: async (text) => channel.emit({ type: "thinking", ...(await begin()), text }),
    echo: async () => channel.emit({ type: "echo", messageId: (await begin()).messageId }),
    useTool: async (tool, use) => {
      const { messageId, spend } = await begin();
      toolCount += 1;
      const toolId = toolCount;
      await channel.emit({ type: "tool-started", messageId, toolId, tool, spend });
      const end = await use();
      if (end.isDenied) denied.push({ toolId, tool });
      await channel.emit({ type: "tool-ended", messageId, toolId, tool, end });
    },
    stream: async (pieces) => {
      const { messageId, spend } = await begin();
      for (const piece of pieces) {
        lastText = piece;
        await channel.emit({ type: "text", messageId, chunks: [piece], spend });
      }
    },
    raw: async (text) => {
      isResultDue = true;
      await channel.outlet.write(text);
    },
    spend: (spend) => {
      total = addSpend(total, spend);
      sinceResult = addSpend(sinceResult, spend);
      channel.spend(spend);
    },
    settle: () => channel.endMessage(false),
    result: async (text, failure) => {
      if (failure === null && !channel.isMessageOpen()) await channel.beginMessage();
      await channel.endMessage(failure === null);
      const figures = { index: resultCount, messages: channel.messageCount(), spend: total, spendSince: sinceResult };
      resultCount += 1;
      sinceResult = noSpend;
      isResultDue = false;
      await channel.emit({ type: "result", ...figures, text: failure?.message ?? text ?? lastText, failure, denied });
    },
    isResultDue: () => isResultDue,
  };
}
