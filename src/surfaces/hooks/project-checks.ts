import { join } from "node:path";
import type { Verdict } from "../../core/checks/verdict.ts";
import { criteriaPath } from "../../core/contract/criteria-path.ts";
import { redVerdict } from "../../core/session/read-verdicts.ts";
import type { SessionMessage } from "../../core/session/session-message.ts";
import type { SessionChecks } from "../../shell/sessions/session-host.ts";
import { projectSettingsFiles, userSettingsPath } from "../../shell/settings-files.ts";
import { statIfThere } from "../../shell/stat-if-there.ts";
import { openCriteria, uncheckedRules } from "./criteria.ts";
import { forgetCriteria, freezeCriteria } from "./criteria/frozen-criteria.ts";
import { openSession, wordsSincePrompt } from "./hosted-session.ts";

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
  return {
    begin(sessionId) {
      if (!mayHaveChecks(directory)) return;
      const session = openSession(sessionId, directory);
      forgetCriteria(...session);
      freezeCriteria(...session, { isLoop: true });
    },
    checks: {
      // How many there are is known only when the settings were read, which a start does not wait for.
      count: () => (mayHaveChecks(directory) ? 1 : 0),
      async run(order) {
        const session = openSession(order.sessionId, directory);
        const turnText = wordsSincePrompt(await getMessages(order.sessionId));
        const criteria = await openCriteria(...session, { isLoop: true, isLiving: true, turnText });
        if (criteria !== null) return criteria.checks.run(order);
        const { requireChecks } = await uncheckedRules(...session);
        return [requireChecks ? redVerdict(checksRequired) : believed];
      },
    },
  };
}

const checksRequired = "No check is configured, and completion.requireChecks is true.";

const believed: Verdict = {
  ...redVerdict("no check is configured"),
  isPassed: true,
  exitCode: 0,
  isUnverified: true,
};

function mayHaveChecks(directory: string): boolean {
  const user = userSettingsPath(process.env, process.platform);
  const own = [criteriaPath, ...projectSettingsFiles].map((name) => join(directory, name));
  return [...own, ...(user === null ? [] : [user])].some((path) => statIfThere(path) !== null);
}
