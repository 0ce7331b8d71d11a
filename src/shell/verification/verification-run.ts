import type { Verdict } from "../../core/verification/verdict.ts";
import type { RoleCriterion } from "../../core/tasks/criteria/role-criterion.ts";
import type { RunContext } from "../run-context.ts";
import type { CheckLog } from "./check-log.ts";
import type { CommandCache } from "./command-cache.ts";
import type { Judge } from "./judge.ts";
import type { Found } from "./found.ts";
import type { External } from "./judge-external.ts";

/** What a verification needs of the run around it; a host's session has no more than that. */
export type VerificationContext = Pick<
  RunContext,
  "runId" | "clock" | "processes" | "disk" | "env" | "killGraceMs" | "note"
> & { frozen: Pick<RunContext["frozen"], "projectDir" | "settings" | "startCommit"> };

/** Verifies by a command on exactly what would be delivered. Rejects when the copy cannot be made. */
export type VerifyInCopy = (external: External, run: VerificationRun, label: string) => Promise<Found>;

/** One verification of one claim: what every method works with. */
export type VerificationRun = {
  context: VerificationContext;
  criterion: RoleCriterion;
  /** The claim that led here stands for the criterion's promise. */
  isClaimEnough: boolean;
  iteration: number;
  /** Verifies by a command in a sealed copy; null: commands run in the work tree. A function, so that hooks load no seal. */
  inCopy: VerifyInCopy | null;
  signal: AbortSignal;
  /** What the agent said in the turn that claims. */
  turnText: string;
  /** The guardrails of the same iteration. */
  guardrails: readonly Verdict[];
  judge: Judge;
  cache: CommandCache;
  /** A text that differs when work tree or commits differ. */
  fingerprint: () => Promise<string>;
  /** Starts Node. */
  nodePath: string;
  /** The name of a new process among those of this effect. */
  newMarker: () => string;
  /** Opens a new log of its own; null where none is kept. */
  openLog: (label: string) => CheckLog | null;
  /** A method's own limit, or what is left of the run's time when that is less. */
  withinTime: (timeoutMs: number) => number;
};
