import { isObject } from "../../text/is-object.ts";
import type { TextRef } from "../verdict.ts";

/** What the candidate changed and only a person can allow: tests whose old form fails, or packages of a lock file. */
export type Dispute = {
  /** Paths that a person would accept. */
  files: string[];
  /** The tests or the packages, for people. */
  names: string;
  kind: "tests" | "packages";
};

/** A dispute as a run remembers it. */
export type KnownDispute = Dispute & {
  candidate: string;
  /** How often it was refused. */
  times: number;
  /** How the files differ from the base. */
  difference: TextRef;
};

/** What a run remembers of its seal: which one it is, and the last dispute. */
export type SealSlot = { hash: string; dispute?: KnownDispute };

/** Reads the memory of the gate; null: the run has no seal. */
export function sealSlot(slot: unknown): SealSlot | null {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the gate writes its slot
  return isObject(slot) && typeof slot["hash"] === "string" ? (slot as SealSlot) : null;
}

/** What a dispute comes to: refused with `reason`, and the second time the run waits for a person. */
export type DisputeVerdict = { times: number; reason: string; isForPerson: boolean };

/** Disputes about a file that was in dispute before are the same one: another form of the same change needs the same person. */
export function judgeDispute(former: KnownDispute | undefined, now: Dispute): DisputeVerdict {
  const isSame = former !== undefined && now.files.some((path) => former.files.includes(path));
  const times = isSame ? former.times + 1 : 1;
  return { times, reason: disputeText(now), isForPerson: times > 1 };
}

/** What the agent is told. */
export function disputeText({ kind, files, names }: Dispute): string {
  const what =
    kind === "tests"
      ? `These protected tests were changed and their old form fails: ${names}.`
      : `${files.join(", ")} pins other versions of ${names}.`;
  return `${what} Restore them, or if the task demands the change, say <promise>DECIDE: why</promise>.`;
}

/** What a person is told when the run waits. */
export function disputeQuestion({ kind, files }: Dispute, runId: string): string {
  const what = kind === "tests" ? "tests whose old form fails" : "packages of before the first turn";
  return [
    `The agent insists on a change of ${what}: ${files.join(", ")}.`,
    `See it with: ralph show ${runId}.`,
    `Accept it with: ralph resume ${runId} --accept-tests all. Or refuse it with: ralph resume ${runId} --answer TEXT`,
  ].join(" ");
}

/** Which files of a dispute people accept by these names: `all`, or paths; a name that fits none is unknown. */
export function acceptedFiles({ files }: Dispute, names: readonly string[]): { files: string[]; unknown: string[] } {
  if (names.includes("all")) return { files, unknown: [] };
  return {
    files: files.filter((path) => names.includes(path)),
    unknown: names.filter((name) => !files.includes(name)),
  };
}

/** What the agent is told when a person accepted changes. */
export function acceptedText(files: readonly string[]): string {
  return `Your changes of ${files.join(", ")} are accepted.`;
}
