import type { StartTalk } from "../../../app/start/start-talk.ts";
import { startTalk } from "../input/start-talk.ts";
import { lineStamp } from "./lines/line-stamp.ts";

/** The talk at a start whose first line has the stamp of the lines that follow it. */
export function stampedTalk(display: Parameters<typeof lineStamp>[0]): StartTalk {
  return {
    ...startTalk,
    introduce: (line) => startTalk.introduce(`${lineStamp(display, "ralph", new Date())}${line}`),
  };
}
