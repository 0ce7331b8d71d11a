import type { Request } from "../../src/core/run/observation.ts";
import type { RunConnection } from "../../src/shell/drivers/start-run.ts";
import type { Store } from "../../src/shell/ports.ts";
import type { Random } from "./random.ts";
import type { Life, World } from "./world.ts";

/** Where people meet a run. */
export type Company = { random: Random; world: World; store: Store };

/** Requests of other commands and signals, at random moments of this life; sometimes the wall clock jumps. */
export function connectionOf({ random, world, store }: Company, life: Life): RunConnection {
  const ask = (listener: (request: Request) => void, runId: () => string | null): void => {
    const request = random.pick<Request>(["cancel", "pause", "interrupt", "interrupt-now", "pause", "interrupt"]);
    const afterMs = random.below(20_000);
    world.after(afterMs, life, () => {
      const id = runId();
      if (request === "interrupt" || request === "interrupt-now") return listener(request);
      if (id !== null && request !== "go-on") void world.busy(store.ask(id, request, 0));
    });
    // A pause that nobody ends would last for ever, also when this life is over before.
    world.after(afterMs + 1000, null, () => {
      const id = runId();
      if (id !== null) void world.busy(store.ask(id, "go-on", 0));
    });
  };
  let taken: string | null = null;
  if (random.chance(0.3))
    world.after(random.below(10_000), null, () => world.jump(random.pick([-3_600_000, 3_600_000])));
  return {
    sink: { entry: () => {}, agentEvent: () => {} },
    onRequest: (listener) => {
      if (random.chance(0.25)) ask(listener, () => taken);
      return () => {};
    },
    onCheck: () => {},
    onStderr: () => undefined,
    onTaken: ({ id }) => {
      taken = id;
    },
  };
}
