import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import type { AgentEventRecord } from "../../ports.ts";
import { asOwn } from "../../lib/as-own.ts";
import { cutAgentEvent, eventsPerTurnMax } from "../cut-agent-event.ts";
import { refuseUnknown } from "./journal.ts";
import { numberOf, type Sql, textOf } from "./sql.ts";

type NewAgentEvent = Omit<AgentEventRecord, "seq">;

/** Stores a batch in a transaction of its own, apart from the steps. What a power cut takes is in the raw stream. */
export function appendAgentEvents(sql: Sql, records: readonly NewAgentEvent[]): void {
  if (records.length === 0) return;
  const rows = records.map((record) => ({ ...record, json: JSON.stringify(cutAgentEvent(record.event)) }));
  sql.looseTransaction(() => {
    const room = new Map<string, number>();
    for (const row of rows) {
      const turn = `${row.runId} ${row.effectId}`;
      const left = room.get(turn) ?? roomOfTurn(sql, row);
      room.set(turn, left - 1);
      if (left > 0) insertEvent(sql, row);
    }
  });
}

/** Events after `afterSeq` in their order. */
export function readAgentEvents(sql: Sql, runId: string, afterSeq: number, limit: number): AgentEventRecord[] {
  return sql
    .all("select * from agent_events where run_id = ? and seq > ? order by seq limit ?", runId, afterSeq, limit)
    .map((row) => ({
      runId,
      effectId: numberOf(row, "effect_id"),
      seq: numberOf(row, "seq"),
      at: numberOf(row, "at"),
      event: asOwn<AgentEvent>(JSON.parse(textOf(row, "event"))),
    }));
}

function roomOfTurn(sql: Sql, { runId, effectId }: NewAgentEvent): number {
  refuseUnknown(sql, runId);
  const row = sql.get("select count(*) as kept from agent_events where run_id = ? and effect_id = ?", runId, effectId);
  return eventsPerTurnMax - numberOf(row ?? {}, "kept");
}

function insertEvent(sql: Sql, row: NewAgentEvent & { json: string }): void {
  sql.run(
    `insert into agent_events (run_id, seq, effect_id, at, event)
     select ?, coalesce(max(seq), 0) + 1, ?, ?, ? from agent_events where run_id = ?`,
    row.runId,
    row.effectId,
    row.at,
    row.json,
    row.runId,
  );
}
