import { createHash } from "node:crypto";
import type { Processes } from "../ports.ts";

/** A session of a host, and the state folder that holds its run: elsewhere the same id may name another one. */
export type CheckedSession = { sessionId: string; stateFolder: string };

/** The turn marker above all checks of a session: theirs are `<marker>/…`, so that one look finds them. */
export function checksMarker({ sessionId, stateFolder }: CheckedSession): string {
  const name = sessionId.replaceAll(/[^\w-]/g, "_").slice(0, 80);
  const which = createHash("sha256").update(`${stateFolder}\0${sessionId}`).digest("hex").slice(0, 8);
  return `session-${name}-${which}`;
}

/** Ends the checks that a killed hook of this session left running. Returns how many processes ended. */
export async function endLeftChecks(
  processes: Pick<Processes, "endLeftovers">,
  session: CheckedSession,
  killGraceMs: number,
): Promise<number> {
  const { ended } = await processes.endLeftovers(checksMarker(session), null, killGraceMs);
  return ended;
}
