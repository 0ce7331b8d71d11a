import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import type { AgentEventRecord, Lease } from "../../ports.ts";
import { asOwn } from "../../lib/as-own.ts";
import { cutAgentEvent, eventsPerTurnMax } from "../cut-agent-event.ts";
import { refuseStale } from "./journal.ts";
import { numberOf, type Sql, textOf } from "./sql.ts";

type NewAgentEvent = Omit<AgentEventRecord, "runId" | "seq">;

/** Stores a batch in a transaction of its own, apart from the steps. What a power cut takes is in the raw stream. */
export function appendAgentEvents(
  sql: Sql,
  lease: Pick<Lease, "runId" | "epoch">,
  events: readonly NewAgentEvent[],
): void {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ ...event, json: JSON.stringify(cutAgentEvent(event.event)) }));
  const { runId } = lease;
  sql.looseTransaction(() => {
    refuseStale(sql, lease);
    const room = new Map<number, number>();
    for (const row of rows) {
      const left = room.get(row.effectId) ?? roomOfTurn(sql, runId, row.effectId);
      room.set(row.effectId, left - 1);
      if (left > 0) insertEvent(sql, { runId, ...row });
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

function roomOfTurn(sql: Sql, runId: string, effectId: number): number {
  const row = sql.get("select count(*) as kept from agent_events where run_id = ? and effect_id = ?", runId, effectId);
  return eventsPerTurnMax - numberOf(row ?? {}, "kept");
}

function insertEvent(sql: Sql, row: NewAgentEvent & { runId: string; json: string }): void {
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
