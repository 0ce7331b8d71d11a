import type { Moment } from "../../run/observation.ts";
import { judgeIdle, orderLost, type TurnEnd, turnEnded } from "../host-news.ts";
import type { SessionRecord } from "../session-record.ts";
import type { News } from "../../run/news.ts";
import { type SteppedRecord, stepRecord } from "../step-session.ts";

/** What is known of a stop: the messages, whether work is left that will wake the agent, whether the tree has changed. */
export type Stop = Pick<TurnEnd, "messages" | "hasWork" | "isTreeChanged">;

/**
 * The agent of a session stops. A wait that an earlier process began is over: whatever woke the agent, it has stopped
 * again. An order that was lost with a killed process is given again. Else the turn has ended.
 */
export function hearStop(record: SessionRecord, stop: Stop, moment: Moment): SteppedRecord {
  const isWaiting = record.run.pending?.type === "set-timer";
  const woken = stepRecord(
    isWaiting ? { ...record, idle: null } : record,
    isWaiting ? [{ type: "turn-reopened" }] : [],
    moment,
  );
  const heard = ofStop(woken.record, stop);
  const stepped = stepRecord(heard.record, heard.news, moment);
  return { ...stepped, steps: [...woken.steps, ...stepped.steps] };
}

function ofStop(record: SessionRecord, stop: Stop): { record: SessionRecord; news: News[] } {
  const lost = { record, news: [orderLost] };
  // That the agent has stopped is certain here; only what it left unsaid can be doubted.
  const idle = judgeIdle(record, stop.messages, { isEarly: false, promptedAfter: null });
  return idle.kind === "turn" ? (turnEnded(record, { ...stop, ...idle }) ?? lost) : lost;
}
