import { expect, it } from "vitest";
import type { PendingEffect } from "../../core/run/effect.ts";
import type { ProcessOrder, Processes, RunningProcess } from "../ports.ts";
import { createAbandonableProcesses } from "./abandonable-processes.ts";

const effect: PendingEffect = { type: "deliver", id: 3, iteration: 1, of: "iteration", candidate: null };

it("starts no process of an abandoned effect, cuts one that was just starting, and kills the others (R-80)", async () => {
  const done: string[] = [];
  let finishStart: () => void = () => {};
  const process = { cut: () => void done.push("cut") } as RunningProcess;
  const port = {
    start: ({ turnMarker }: ProcessOrder) => {
      done.push(`start ${turnMarker}`);
      return new Promise((resolve) => (finishStart = () => resolve({ isStarted: true, process })));
    },
    endLeftovers: (turnMarker: string, _: unknown, graceMs: number) => {
      done.push(`kill ${turnMarker} after ${graceMs}`);
      return Promise.resolve({ ended: 0, survivors: [] });
    },
  } as unknown as Processes;
  const machine = { processes: port } as Parameters<typeof createAbandonableProcesses>[0];
  const own = createAbandonableProcesses(machine, { id: "r", frozen: {} });
  const order = (turnMarker: string): ProcessOrder => ({ turnMarker }) as ProcessOrder;

  const starting = own.processes.start(order("r.3/1"));
  await own.abandon(effect, null);
  finishStart();
  expect(await starting).toMatchObject({ isStarted: true });
  expect(await own.processes.start(order("r.3/2"))).toMatchObject({ isStarted: false });
  const other = own.processes.start(order("r.31"));
  finishStart();
  expect(await other).toMatchObject({ isStarted: true });
  expect(done).toEqual(["start r.3/1", "kill r.3 after 0", "cut", "start r.31"]);
});
