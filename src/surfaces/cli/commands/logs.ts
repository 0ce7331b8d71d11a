import type { AgentEvent } from "../../../core/agents/agent-event.ts";
import { describeTurnEnd, errorLines, isFailedTurn, type TurnReport } from "../../../core/agents/turn-report.ts";
import { cleanMessage, cleanText } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { type LogItem, readLog, readRawOutput, readSessionEntries } from "../../../app/query/read-log.ts";
import { shownTarget, type Target } from "../../../app/query/find/target.ts";
import { textReader, watchLog } from "../../../app/query/watched-log.ts";
import type { RunRecord } from "../../../shell/ports.ts";
import { type Display, displayOptions } from "../live/display-options.ts";
import { openLogView } from "../live/log-view.ts";
import type { Machine } from "../../../shell/machine.ts";
import { wire } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { importEnded } from "../input/import-ended.ts";
import { isOn } from "../input/read-input.ts";
import { runName } from "../input/run-name.ts";
import { tellLine, tellOthers, tellProblem } from "../input/tell.ts";
import { writeExact } from "../terminal/guard-output.ts";

/** `ralph logs`: journal and agent events in the order of time, or the agent's raw output. */
export default async function logs(input: Input): Promise<number> {
  const { options } = input;
  const machine = await wire();
  await importEnded(machine);
  const target = await shownTarget({ ...machine, onProblem: tellProblem }, runName(input));
  tellOthers(target);
  const { run } = target;
  const isWatched =
    isOn(options, "follow") && !isOn(options, "json") && run !== undefined && run.frozen.work === undefined;
  if (isOn(options, "raw")) await printRaw(machine, target);
  else if (isWatched) await watch(machine, run, displayOptions(options));
  else
    for await (const each of logOf(machine, target, isOn(options, "follow")))
      process.stdout.write(isOn(options, "json") ? jsonResult(each) : `${cleanMessage(line(each))}\n`);
  await machine.store.close();
  return 0;
}

function logOf(machine: Machine, { run, session }: Target, isFollowing: boolean): AsyncGenerator<LogItem> {
  if (session === undefined) return readLog(machine, run, isFollowing);
  return readSessionEntries(machine, session, { isFollowing, onProblem: tellLine });
}

/** The run as it shows itself; a work run and a session have no agent of their own to show. */
async function watch(machine: Machine, run: RunRecord, display: Display): Promise<void> {
  const view = openLogView(run.frozen.settings, display, textReader(machine));
  for await (const watched of watchLog(machine, run)) await view.show(watched);
}

/** Exact bytes for a file or a program; a terminal gets only safe text. */
async function printRaw(machine: Machine, { run, session }: Target): Promise<void> {
  if (run === undefined) {
    tellLine(`The output of session ${session.loop.sessionId} is kept by its host alone.`);
    return;
  }
  const decoder = new TextDecoder();
  for await (const chunk of readRawOutput(machine, run)) {
    if (process.stdout.isTTY) process.stdout.write(cleanText(decoder.decode(chunk, { stream: true })));
    else writeExact(process.stdout, chunk);
  }
}

function line(each: LogItem): string {
  const time = new Date(each.at).toISOString().slice(11, 19);
  if ("event" in each) return `${time}   ${eventText(each.event)}`;
  if (each.kind === "note") return `${time} note: ${each.text}`;
  const orders = each.effects.map((effect) => ` -> ${effect.type}`).join("");
  const failed = failedReport(each);
  if (failed === null) return `${time} ${each.observation.type}${orders}`;
  const head = `${time} ${each.observation.type}: ${describeTurnEnd(failed)}${orders}`;
  return [head, ...errorLines(failed).map((text) => `        | ${text}`)].join("\n");
}

function failedReport(entry: Exclude<LogItem, { event: unknown } | { kind: "note" }>): TurnReport | null {
  const { observation } = entry;
  return observation.type === "turn-ended" && isFailedTurn(observation.report) ? observation.report : null;
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
