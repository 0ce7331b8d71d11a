import type { BusMessage } from "../../core/bus/message.ts";
import type { SharedFiles } from "../ports.ts";
import { readAll } from "../bus/read-bus.ts";

/** The type of the message by which an agent asks not to be started again. */
const waitType = "wait_without_restart";

/** The newest request not to be started again; one from before `since` belongs to an earlier run and does not count. */
export function findWaitMessage(busPath: string, since: number, files: SharedFiles): BusMessage | null {
  const isRequest = ({ type, at }: BusMessage): boolean => type.toLowerCase() === waitType && Date.parse(at) >= since;
  return readAll(busPath, { files, isWanted: isRequest }).at(-1) ?? null;
}
