import type { Processes } from "../../src/shell/ports.ts";
import type { Random } from "./random.ts";
import { type Life, never } from "./world.ts";

/** Where around the start of a process the program was killed. */
export type StartKill = "before start" | "after start";

/** Processes of a program that may be killed just before or just after it starts one: what was started lives on. */
export function mortalProcesses(
  processes: Processes,
  life: Life,
  { random, killChance, onKill }: { random: Random; killChance: number; onKill: (point: StartKill) => void },
): Processes {
  const die = (point: StartKill): Promise<never> => {
    life.isOver = true;
    onKill(point);
    return never();
  };
  return {
    ...processes,
    async start(order) {
      if (life.isOver) return never();
      const isStruck = random.chance(killChance);
      if (isStruck && random.chance(0.5)) return die("before start");
      const started = await processes.start(order);
      return isStruck ? die("after start") : started;
    },
  };
}
