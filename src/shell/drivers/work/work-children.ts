import { addSpend, type Spend } from "../../../core/agents/spend.ts";
import type { Request } from "../../../core/run/observation.ts";
import type { Outcome } from "../../../core/run/outcome.ts";
import { newRun, type RunState } from "../../../core/run/state.ts";
import type { Policy } from "../../../core/run/policy.ts";
import { sumSpend } from "../../../core/work/work-budget.ts";
import type { RunRecord } from "../../ports.ts";
import type { RunConnection } from "../start-run.ts";

/** The roles' runs of a work: what they used, and how each hears what is asked of the whole. */
export type WorkChildren = {
  spend: () => Spend;
  /** Iterations used on a task. */
  iterationsOf: (taskId: string) => number;
  /** Tells every child at work, and each that begins later, until `go-on`. */
  tell: (request: Request) => void;
  /** Ends those at work at once and for this reason, but for those that are ending by themselves. */
  endOthers: (because: Outcome) => void;
  /** Lets a child hear, and its news be seen. */
  follow: (child: { id: string; taskId: string }, onNews: () => void) => Pick<RunConnection, "onRequest" | "sink">;
};

type Child = { taskId: string; state: RunState; hear: ((request: Request, because?: Outcome) => void) | null };

/** The children so far, as the store knows them. */
export function openWorkChildren(known: readonly RunRecord[], policy: Policy): WorkChildren {
  const children = new Map<string, Child>(
    known.map(({ id, frozen, state }) => [id, { taskId: frozen.task?.id ?? "", state, hear: null }]),
  );
  let last: { request: Request; because?: Outcome } | null = null;
  return {
    spend: () => sumSpend(Array.from(children.values(), ({ state }) => addSpend(state.spend, state.liveSpend))),
    iterationsOf: (taskId) =>
      Array.from(children.values())
        .filter((child) => child.taskId === taskId)
        .reduce((sum, { state }) => sum + state.iteration, 0),
    tell(request) {
      last = request === "go-on" ? null : { request };
      for (const child of children.values()) child.hear?.(request);
    },
    endOthers(because) {
      last = { request: "interrupt-now", because };
      for (const { state, hear } of children.values())
        if (state.ending === null && state.outcome === null) hear?.("interrupt-now", because);
    },
    follow({ id, taskId }, onNews) {
      const child = children.get(id) ?? { taskId, state: newRun(policy), hear: null };
      children.set(id, child);
      return {
        onRequest: (listener) => {
          child.hear = listener;
          // Asked while the child was being made: it has not heard it.
          if (last !== null) listener(last.request, last.because);
          return () => {
            child.hear = null;
          };
        },
        sink: {
          entry: (_, state) => {
            child.state = state;
            onNews();
          },
          agentEvent: () => {},
        },
      };
    },
  };
}
