import { setTimeout as wait } from "node:timers/promises";
import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import type { JournalEntry } from "../../../core/journal/journal-entry.ts";
import type { Machine } from "../../../shell/machine.ts";
import type { AgentEventRecord, RunRecord } from "../../../shell/ports.ts";
import { streamPath } from "../../../shell/stores/stream-path.ts";
import { wire } from "../../../shell/wire.ts";
import { chooseRun } from "../../../app/query/choose-run.ts";
import { runName } from "../input/run-name.ts";
import { cleanMessage, cleanText } from "../../../core/text/clean-text.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import type { Input } from "../input/command-spec.ts";
import { writeExact } from "../terminal/guard-output.ts";
import { isDriven } from "../../../app/query/is-driven.ts";
import { isOn } from "../input/read-input.ts";
import { importEnded } from "../input/import-ended.ts";

/** How often a followed run is read. */
const followMs = 500;
const pageSize = 1000;

/** `ralph logs`: journal and agent events in the order of time, or the agent's raw output. */
export default async function logs(input: Input): Promise<number> {
  const machine = await wire();
  await importEnded(machine);
  const run = await chooseRun(machine, runName(input), () => true, "There is no run");
  if (isOn(input.options, "raw")) await printRaw(machine, run);
  else
    await printEntries(machine, run, {
      isFollowing: isOn(input.options, "follow"),
      isJson: isOn(input.options, "json"),
    });
  await machine.store.close();
  return 0;
}

/** Exact bytes for a file or a program; a terminal gets only safe text. */
async function printRaw(machine: Machine, run: RunRecord): Promise<void> {
  const decoder = new TextDecoder();
  const print = (chunk: Uint8Array): void => {
    if (process.stdout.isTTY) process.stdout.write(cleanText(decoder.decode(chunk, { stream: true })));
    else writeExact(process.stdout, chunk);
  };
  for (let effectId = 1; effectId < run.state.nextEffectId; effectId++) {
    for await (const chunk of machine.disk.readLog(streamPath(machine.folder, run.id, effectId))) print(chunk);
  }
}

async function printEntries(
  machine: Machine,
  run: RunRecord,
  { isFollowing, isJson }: { isFollowing: boolean; isJson: boolean },
): Promise<void> {
  let journalSeq = 0;
  let eventSeq = 0;
  for (;;) {
    const [current] = await machine.store.find(run.id);
    const isOver = current === undefined || !isDriven(machine, current);
    const journal = await machine.store.readJournal(run.id, journalSeq, pageSize);
    const events = await machine.store.readAgentEvents(run.id, eventSeq, pageSize);
    journalSeq = journal.at(-1)?.seq ?? journalSeq;
    eventSeq = events.at(-1)?.seq ?? eventSeq;
    const all = [...journal, ...events].toSorted((first, second) => first.at - second.at);
    for (const each of all) process.stdout.write(isJson ? jsonLine(each) : `${cleanMessage(line(each))}\n`);
    const isMore = journal.length === pageSize || events.length === pageSize;
    if (!isMore && (!isFollowing || isOver)) return;
    if (!isMore) await wait(followMs);
  }
}

function line(each: JournalEntry | AgentEventRecord): string {
  const time = new Date(each.at).toISOString().slice(11, 19);
  if ("event" in each) return `${time}   ${eventText(each.event)}`;
  if (each.kind === "note") return `${time} note: ${each.text}`;
  const orders = each.effects.map((effect) => ` -> ${effect.type}`).join("");
  return `${time} ${each.observation.type}${orders}`;
}

function eventText(event: AgentEvent): string {
  switch (event.type) {
    case "session":
      return `session ${event.sessionId}`;
    case "text":
      return event.text.trimEnd();
    case "thinking":
      return `(thinking) ${event.text.trimEnd()}`;
    case "tool-started":
      return `> ${event.name}(${event.summary})`;
    case "tool-ended":
      return `< ${event.isError ? "error: " : ""}${event.output.split("\n")[0] ?? ""}`;
    case "todo":
      return `todo: ${event.items.map(({ text, status }) => `[${status}] ${text}`).join("; ")}`;
    case "usage":
      return `usage: ${event.spend.inputTokens} in, ${event.spend.outputTokens} out`;
    case "retry":
      return `retry ${event.attempt}: ${event.reason}`;
    case "notice":
      return event.text;
    case "result":
      return event.isSuccess ? "result: success" : `result: error: ${event.failure?.message ?? ""}`;
  }
}
