import { disbelief, nameDisbelieved, senderOf, unheard } from "../../../core/session/event-sender.ts";
import { statIfThere } from "../../../shell/lib/stat-if-there.ts";
import { systemTable } from "../../../shell/processes/identities.ts";
import { isAlive } from "../../../shell/processes/is-alive.ts";
import { readLineage } from "../../../shell/processes/lineage.ts";
import { frozenChecksPath } from "../../../shell/sessions/frozen-checks.ts";
import { openSenderFile } from "../../../shell/sessions/sender-file.ts";
import type { HookTools } from "./hook-tools.ts";
import type { HookAnswer, HookName, HostEvent } from "./host-event.ts";

/** Whether an event is believed. */
export type Belief = {
  /** Why it is not; null: it is. */
  disbelief: string | null;
  /** Remembers the host of a session that is held to something, and names in the answer to a stop what was not believed. */
  conclude: (answer: HookAnswer) => HookAnswer;
};

/** Asks who sent an event: an agent must not speak for the host of its own session. One that is not believed is logged. */
export function believeEvent(hook: HookName, event: HostEvent, tools: HookTools): Belief {
  const { sessionId } = event;
  const file = openSenderFile(tools.sessionsFolder, sessionId);
  const { host: known, disbelieved } = file.read();
  const table = systemTable();
  const sender = senderOf(readLineage(table), {
    sessionId,
    knownHost: known === null ? null : { ...known, isAlive: isAlive(table, known) },
    isHookEnvironment: (environment) => tools.host.isHookEnvironment(environment),
  });
  const isHeld = (): boolean => statIfThere(frozenChecksPath(tools.sessionsFolder, sessionId)) !== null;
  if (sender.kind !== "host") {
    const sentence = disbelief(sender.kind, hook);
    tools.log({ level: "warning", text: `[hook] ${sentence}`, fields: { sessionId } });
    if (isHeld()) file.write({ host: known, disbelieved: [...disbelieved, sentence] });
    return { disbelief: sentence, conclude: (answer) => answer };
  }
  const host = sender.host ?? known;
  const isNewHost = host?.pid !== known?.pid || host?.startTime !== known?.startTime;
  return {
    disbelief: null,
    conclude(answer) {
      const left = hook === "stop" ? unheard(answer, disbelieved) : disbelieved;
      if ((isNewHost && isHeld()) || left.length < disbelieved.length) file.write({ host, disbelieved: left });
      return hook === "stop" ? nameDisbelieved(answer, disbelieved) : answer;
    },
  };
}
