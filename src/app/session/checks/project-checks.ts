import { createHash } from "node:crypto";
import { join } from "node:path";
import { criteriaPath } from "../../../core/contract/criteria-path.ts";
import { believedVerdict, redVerdict } from "../../../core/session/read-verdicts.ts";
import type { SessionMessage } from "../../../core/session/session-message.ts";
import { unusableText } from "../../../core/session/stops/unusable-checks.ts";
import type { SessionChecks } from "../../../shell/sessions/session-host.ts";
import { projectSettingsFiles, userSettingsPath } from "../../../shell/settings/settings-files.ts";
import { statIfThere } from "../../../shell/lib/stat-if-there.ts";
import { beginUnchecked, openCriteria } from "./criteria.ts";
import { forgetCriteria, freezeCriteria, isFrozen } from "./frozen-criteria.ts";
import { openSession, wordsSincePrompt } from "../event/hosted-session.ts";

/** The checks of a project, for loops whose host gives none. */
export type ProjectChecks = {
  checks: SessionChecks;
  /** A loop begins: what the project asks for now is what counts. Throws when that cannot be read. */
  begin(sessionId: string): void;
};

/** Where a project has neither settings nor criteria, nothing is read, frozen or run. */
export function createProjectChecks(
  directory: string,
  getMessages: (sessionId: string) => Promise<readonly SessionMessage[]>,
): ProjectChecks {
  // Other programs of this user may have sessions of the same name.
  const place = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  const open = (sessionId: string): ReturnType<typeof openSession> => openSession(`${sessionId}-${place}`, directory);
  return {
    begin(sessionId) {
      if (!mayHaveChecks(directory)) return;
      const session = open(sessionId);
      forgetCriteria(...session);
      freezeCriteria(...session, { isLoop: true });
      if (!isFrozen(...session)) throw new Error("they cannot be kept in the state folder");
    },
    checks: {
      // How many there are is known only when the settings were read, which a start does not wait for.
      count: () => (mayHaveChecks(directory) ? 1 : 0),
      async run(order) {
        const session = open(order.sessionId);
        const turnText = wordsSincePrompt(await getMessages(order.sessionId));
        const criteria = await openCriteria(...session, { isLoop: true, isLiving: true, turnText });
        if (criteria !== null)
          return criteria.unusable === null
            ? criteria.checks.run(order)
            : [redVerdict(unusableText(criteria.unusable))];
        const { problem } = await beginUnchecked(...session);
        return [problem === null ? believedVerdict : redVerdict(problem)];
      },
    },
  };
}

function mayHaveChecks(directory: string): boolean {
  const user = userSettingsPath(process.env, process.platform);
  const own = [criteriaPath, ...projectSettingsFiles].map((name) => join(directory, name));
  return [...own, ...(user === null ? [] : [user])].some((path) => statIfThere(path) !== null);
}
