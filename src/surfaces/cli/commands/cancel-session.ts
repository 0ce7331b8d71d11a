import { RalphError } from "../../../core/ralph-error.ts";
import type { SessionRecord } from "../../../core/session/session-record.ts";
import { createInSessionDriver } from "../../../shell/drivers/session/in-session-driver.ts";
import { realClock } from "../../../shell/lib/real-clock.ts";
import { openLoops } from "../../../shell/sessions/loop-state-files.ts";

/** Ends a loop inside a host from outside: its next stop or idle finds none. Throws when its end cannot be stored. */
export function cancelSession(sessionsFolder: string, { loop }: SessionRecord): void {
  const problems: string[] = [];
  const driver = createInSessionDriver({
    store: openLoops(sessionsFolder, (text) => problems.push(text)),
    clock: realClock,
    host: {
      getMessages: () => Promise.resolve([]),
      inject: () => Promise.resolve(),
      exists: null,
      hasPendingWork: null,
      checks: null,
      tell: () => {},
    },
  });
  const wasThere = driver.cancel(loop.sessionId);
  driver.close();
  if (wasThere && problems.length === 0) return;
  const why = problems[0] ?? "it has ended meanwhile";
  throw new RalphError("not-found", `The loop of session ${loop.sessionId} was not cancelled: ${why}.`);
}
