import { unknownContract } from "../../core/contract/session-checks.ts";
import { cancelledReason } from "../../core/policies/outcome-reasons.ts";
import { continuationPrompt } from "../../core/session/loop/continuation-prompt.ts";
import { firstPrompt } from "../../core/session/loop/first-prompt.ts";
import { personSpoke } from "../../core/session/host-news.ts";
import { mayLoop } from "../../core/session/stops/inside-run.ts";
import { mergeLoopConfig, planLoop } from "../../core/session/loop/loop-config.ts";
import { isSessionId, loopStartTime, type RalphLoopState } from "../../core/session/loop/loop-state.ts";
import { loopCommandIn, parseLoopCommand } from "../../core/session/loop/parse-loop-command.ts";
import { noStops } from "../../core/session/stops/stop-counts.ts";
import { unusableText } from "../../core/session/stops/unusable-checks.ts";
import { endGitInHook } from "../../shell/git/git-in-hook.ts";
import { storeLoop } from "../../shell/drivers/session/store-loop.ts";
import { hookClock } from "../../shell/lib/real-clock.ts";
import { openStopCounts } from "../../shell/sessions/stop-counts.ts";
import { beginUnchecked, openCriteria } from "./checks/criteria.ts";
import { inOwnProject, markLoopStart } from "./checks/frozen-criteria.ts";
import { answerDueMs, type HookTools, runIdOf, standsBack } from "./event/hook-tools.ts";
import type { HookAnswer, HostEvent } from "./event/host-event.ts";
import { treeMark } from "./checks/tree-mark.ts";
import { forgetLostLoop } from "./judge-broken-session.ts";
import { continuationDelay, endLoop, foreignLoops, logLoop, openStore, stepLoop } from "./session-loop.ts";

/** Hears what a person typed: the commands of the loop, or a message that continues the loop's turn. */
export async function userPromptSubmit(heard: HostEvent, tools: HookTools): Promise<HookAnswer> {
  endGitInHook(answerDueMs(tools));
  const event = inOwnProject(heard, tools);
  const prompt = event.prompt ?? "";
  const command = loopCommandIn(prompt);
  if (command === null) return standsBack(tools) || !isSessionId(event.sessionId) ? {} : hearPerson(event, tools);
  const runId = runIdOf(tools);
  if (!mayLoop(runId)) return told(`Run ${runId} of ralph drives this session; /${command} does nothing inside a run.`);
  if (!isSessionId(event.sessionId)) return told("The host named no session, so there is no loop to speak of.");
  if (command === "ralph") return startLoop(event, tools, prompt);
  return command === "cancel-ralph" ? cancelLoop(event, tools) : showLoop(event, tools);
}

/** An answer for both: the person sees it, and the agent knows what its command did. */
function told(text: string): HookAnswer {
  return { notice: text, context: `${text} Tell the user so; there is nothing else to do for this command.` };
}

async function startLoop(event: HostEvent, tools: HookTools, line: string): Promise<HookAnswer> {
  const command = parseLoopCommand(line);
  if (typeof command === "string") return told(`The Ralph loop was not started. ${command}`);
  const criteria = await openCriteria(event, tools, { isLoop: true });
  const unusable = criteria?.unusable ?? null;
  if (unusable !== null) return told(`The Ralph loop was not started: ${unusableText(unusable)}`);
  const unchecked = criteria === null ? await beginUnchecked(event, tools) : null;
  if (unchecked !== null && unchecked.problem !== null)
    return told(`The Ralph loop was not started: ${unchecked.problem.replace(/^N/, "n")}`);
  const store = openStore(event, tools);
  const { sessionId, projectDir: directory } = event;
  const { prompt, options } = command;
  const startedAt = loopStartTime(store.read(sessionId), Date.now());
  const loop = planLoop(mergeLoopConfig({ continuationDelay }), { sessionId, prompt, options, startedAt });
  if (typeof loop === "string") return told(`The Ralph loop was not started: ${loop}.`);
  const checks = { criterionCount: criteria?.count ?? 0, contract: criteria?.contract ?? unknownContract };
  const given = { directory, host: tools.host.name, continuationDelay, ...checks, mark: 0 };
  const type = storeLoop({ store, clock: hookClock }, loop, { ...given, requireProgress: true });
  if (type === null) return told(notStored(tools));
  logLoop(tools, { type, loop });
  if (unchecked?.needsChange === true) markLoopStart(event, tools, treeMark(directory));
  // The first stop reads no line from before the loop.
  openStopCounts(tools, sessionId).write(noStops, event.transcript.readOffset(null, null));
  const warning = unchecked?.warning ?? criteria?.unsealed ?? null;
  const notice = [startNotice(loop), ...(warning === null ? [] : [warning])].join(" ");
  return { notice, context: firstPrompt(loop) };
}

function notStored({ sessionsFolder, stateFolder }: HookTools): string {
  return `The Ralph loop was not started: its state cannot be written to ${sessionsFolder}, see hooks.log in ${stateFolder}. Inside a sandbox use \`ralph run\` outside of it.`;
}

function startNotice({ maxIterations, completionPromise }: RalphLoopState): string {
  const limit = `at most ${maxIterations} ${maxIterations === 1 ? "iteration" : "iterations"}`;
  return `Ralph loop started: ${limit}, complete with <promise>${completionPromise}</promise>.`;
}

/** `/cancel-ralph`: ends the loop of the session. */
export function cancelLoop(event: HostEvent, tools: HookTools): HookAnswer {
  const faults: string[] = [];
  const store = openStore(event, tools, ({ error }) => void faults.push(error));
  const loop = endLoop(store, event.sessionId);
  forgetLostLoop(event, tools);
  const [fault] = faults;
  if (fault !== undefined) return told(`The Ralph loop could not be cancelled: ${fault}`);
  if (loop === null)
    return told(["No Ralph Loop is currently running in this session.", ...foreignLoops(event, store)].join(" "));
  logLoop(tools, { type: "ended", loop, outcome: { name: "cancelled", reason: cancelledReason } });
  openStopCounts(tools, event.sessionId).clear();
  return told(`Ralph loop cancelled at iteration ${loop.iteration} of ${loop.maxIterations}.`);
}

function showLoop(event: HostEvent, tools: HookTools): HookAnswer {
  const store = openStore(event, tools);
  const record = store.read(event.sessionId);
  const own = record === null ? "No Ralph Loop is currently running in this session." : shownLoop(record.loop);
  return told([own, ...foreignLoops(event, store)].join("\n"));
}

function shownLoop(loop: RalphLoopState): string {
  const { iteration, maxIterations, completionPromise, startedAt, prompt } = loop;
  return [
    `Ralph loop: iteration ${iteration} of ${maxIterations}, since ${startedAt}.`,
    `It completes with <promise>${completionPromise}</promise>.`,
    `Task: ${prompt.length > 500 ? `${prompt.slice(0, 500)}…` : prompt}`,
  ].join("\n");
}

/** A loop that waited continues with the turn that begins now; a continuation the host swallowed is given along. */
function hearPerson(event: HostEvent, tools: HookTools): HookAnswer {
  const { sessionId } = event;
  const heard = stepLoop(openStore(event, tools), sessionId, (found) => personSpoke(found, event.prompt ?? ""));
  if (heard.kind === "none") return {};
  const { record } = heard;
  const counts = openStopCounts(tools, sessionId);
  const { isUndelivered } = counts.read();
  counts.write(noStops, counts.readOffset());
  return isUndelivered ? { context: continuationPrompt(record.loop, record.loop.iteration, record.run.feedback) } : {};
}
