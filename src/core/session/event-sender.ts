/** One process that an event came through, as far as it shows who sent the event. */
export type SenderProcess = {
  pid: number;
  startTime: string;
  /** `NAME=value` settings it was started with; empty where nobody can read them. */
  environment: readonly string[];
};

/** What is known of a session whose event is to be believed. */
export type SenderFacts = {
  sessionId: string;
  /** The host that sent earlier events of the session; null when nobody could tell. */
  knownHost: { pid: number; startTime: string; isAlive: boolean } | null;
  /** Whether the host starts its hooks, and not the commands of its agent, with these settings. */
  isHookEnvironment: (environment: readonly string[]) => boolean;
};

/**
 * Who sent an event: the host, a command that the session's agent runs, or a process outside of the host that is known for the
 * session. `host`: the process of the host; null when nobody can tell.
 */
export type EventSender =
  | { kind: "host"; host: { pid: number; startTime: string } | null }
  | { kind: "agent" }
  | { kind: "stranger" };

/**
 * Finds the sender by the processes from the hook upwards. Everything that a host starts inherits the session's id, so the
 * uppermost process that has it is the one that the host started itself: a hook, or the shell of an agent's command. An agent that
 * detaches its process loses the host among the parents instead.
 */
export function senderOf(lineage: readonly SenderProcess[], facts: SenderFacts): EventSender {
  const { sessionId, knownHost, isHookEnvironment } = facts;
  const uppermost = lineage.findLastIndex(({ environment }) =>
    environment.some((each) => each.endsWith(`=${sessionId}`)),
  );
  const started = lineage[uppermost];
  if (started !== undefined && !isHookEnvironment(started.environment)) return { kind: "agent" };
  const isBelowKnown = lineage.some(
    ({ pid, startTime }) => pid === knownHost?.pid && startTime === knownHost.startTime,
  );
  if (knownHost?.isAlive === true && !isBelowKnown) return { kind: "stranger" };
  const host = started === undefined ? undefined : lineage[uppermost + 1];
  return { kind: "host", host: host === undefined ? null : { pid: host.pid, startTime: host.startTime } };
}

/** Why an event is not believed, for people and for the log. */
export function disbelief(kind: Exclude<EventSender["kind"], "host">, event: string): string {
  const from = kind === "agent" ? "a command of the agent" : "a process outside of this session's host";
  return `A ${event} event came from ${from}, not from the host; it had no effect.`;
}

/** The answer to a stop with what was not believed since people last heard of such; not every host shows it while it blocks. */
export function nameDisbelieved<Answer extends { notice?: string }>(
  answer: Answer,
  sentences: readonly string[],
): Answer {
  if (sentences.length === 0) return answer;
  return { ...answer, notice: [...(answer.notice === undefined ? [] : [answer.notice]), ...sentences].join("\n") };
}

/** What is still to be named after an answer: a stop that is allowed shows it for certain. */
export function unheard({ block }: { block?: string }, sentences: readonly string[]): readonly string[] {
  return block === undefined ? [] : sentences;
}
