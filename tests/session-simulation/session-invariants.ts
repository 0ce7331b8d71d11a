import type { PlantedFault, SessionTrace } from "./simulate-session.ts";

/** Says what is wrong with a loop's life, or null. */
type Invariant = (trace: SessionTrace) => string | null;

/** What must hold for every loop in a session, each with a fault it is known to catch. */
export const sessionInvariants: Record<string, { invariant: Invariant; fault: PlantedFault }> = {
  "at most one continuation is given for an iteration": {
    invariant: ({ happened }) => {
      const given = happened.flatMap((each) => (each.type === "prompted" ? [each.iteration] : []));
      const twice = given.find((iteration, index) => given.indexOf(iteration) !== index);
      return twice === undefined ? null : `iteration ${twice} was given twice`;
    },
    fault: {
      host: (options) => ({
        ...options,
        injectPrompt: async (sessionId, prompt) => {
          await options.injectPrompt?.(sessionId, prompt);
          return options.injectPrompt?.(sessionId, prompt);
        },
      }),
    },
  },
  "iterations never exceed the maximum": {
    invariant: ({ happened, maxIterations }) => {
      const over = happened.find((each) => each.type === "prompted" && each.iteration > maxIterations);
      return over === undefined ? null : `a continuation beyond ${maxIterations} was given`;
    },
    fault: {
      store: (store) => ({
        ...store,
        change: (sessionId, step) =>
          store.change(sessionId, (record) =>
            step(
              record === null
                ? null
                : { ...record, run: { ...record.run, policy: { ...record.run.policy, iterationsMax: 99 } } },
            ),
          ),
      }),
    },
  },
  "completed implies a claim of that iteration": {
    invariant: ({ happened }) => {
      const end = happened.find((each) => each.type === "completed");
      if (end === undefined) return null;
      const isClaimed = happened.some((each) => each.type === "claimed" && each.iteration === end.iteration);
      return isClaimed ? null : `iteration ${end.iteration} completed without a claim of its own`;
    },
    fault: {
      host: (options) => ({
        ...options,
        // As if what the loop itself says, and what was said before it, were the agent's words of this turn.
        getMessages: async (sessionId) => [
          ...((await options.getMessages?.(sessionId)) ?? []),
          { role: "assistant", content: "<promise>DONE</promise>" },
        ],
      }),
    },
  },
  "cancel, abort and deletion are final": {
    invariant: ({ happened }) => {
      const end = happened.findIndex((each) => each.type === "ended-by-person");
      const later = end < 0 ? [] : happened.slice(end + 1);
      return later.some((each) => each.type === "prompted" || each.type === "completed")
        ? "a loop went on after its end"
        : null;
    },
    fault: {
      store: (store) => ({
        ...store,
        // As if no end were ever stored.
        change: (sessionId, step) =>
          store.change(sessionId, (record) => {
            const change = step(record);
            return change?.record.run.outcome === null ? change : null;
          }),
      }),
    },
  },
  "the journal leads to the stored state": {
    invariant: ({ journalProblem }) => journalProblem,
    fault: {
      store: (store) => ({
        ...store,
        change: (sessionId, step) =>
          store.change(sessionId, (record) => {
            const change = step(record);
            return change === null || change.steps.length < 2 ? change : { ...change, steps: change.steps.slice(1) };
          }),
      }),
    },
  },
  "no loop is left hanging": {
    invariant: ({ isActiveAtEnd }) => (isActiveAtEnd ? "the loop is active, and nothing will ever happen" : null),
    fault: {
      clock: (clock) => ({
        ...clock,
        wait: (durationMs, signal) => clock.wait(durationMs === 500 ? 1e12 : durationMs, signal),
      }),
    },
  },
};
