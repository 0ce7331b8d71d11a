import type { BusMessage } from "../../core/bus/message.ts";
import { isWaitMessage } from "../../core/supervise/supervised-turn.ts";
import type { SharedFiles } from "../ports.ts";
import { readAll } from "../bus/read-bus.ts";

/** The newest request of a turn not to be started again. */
export function findWaitMessage(busPath: string, turnStartedAt: number, files: SharedFiles): BusMessage | null {
  return readAll(busPath, { files, isWanted: (message) => isWaitMessage(message, turnStartedAt) }).at(-1) ?? null;
}
