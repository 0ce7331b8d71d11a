/** What a user of an earlier version must know. CHANGELOG.md has the same sentences. */
export type UpgradeNote = {
  /** Stored once the user has read it. A changed text needs a new id. */
  id: string;
  text: string;
};

/** Changes that make a run behave differently with the settings it had. A new one goes to the end. */
export const upgradeNotes: readonly UpgradeNote[] = [
  {
    id: "stage-run",
    text: 'Commits also take files that are new since the run started. To commit tracked files only, as before, set `"scm": { "stage": "tracked" }`.',
  },
  {
    id: "judge-wait",
    text: 'When a judge gives no usable answer, the run waits (exit code 3) and `ralph resume` asks again. To refuse the claim, as before, set `"verification": { "onJudgeError": "reject" }`.',
  },
  {
    id: "duration-units",
    text: 'A duration needs a unit: where a setting or a flag has a number without one, ralph refuses it and shows what to write for seconds, minutes and milliseconds, such as `"90s"` for 90000 milliseconds.',
  },
  {
    id: "no-progress",
    text: '`ralph run` stops after five turns in a row without any change. To let it continue, as before, set `"breaker": { "noProgress": null }`, which now also switches it off in `ralph work` and `ralph prd run`.',
  },
  {
    id: "restart-delay",
    text: '`ralph supervise` waits the same restart delay after every run, and none after the last. To double it with each failed run in a row, as before, set `"restart": { "backoff": true }`.',
  },
];
