import type { FrozenRun } from "../../core/settings/run/frozen-run.ts";
import type { Verification } from "../../core/verification/verified/verification.ts";
import type { OpenSeal } from "../seal/open-seal.ts";
import type { SealedResult } from "../seal/run-seal.ts";
import { needsJudge } from "../verification/needs-judge.ts";
import { hashReport } from "./hash-report.ts";

/** What a seal knows of one verification. */
export type SealedRecord = {
  record: OpenSeal["record"];
  results: ReadonlyMap<string, SealedResult>;
  frozen: Pick<FrozenRun, "projectCriteria" | "settings">;
};

/** Commands, programs and judges of a verification, as a receipt names them. */
export function sealedFacts({
  record,
  results,
  frozen,
}: SealedRecord): Pick<Verification, "commands" | "tools" | "judges"> {
  const commands = [...results].map(([command, { end, report }]) => ({
    command,
    exitCode: end.kind === "ended" ? end.exitCode : notStarted,
    report: hashReport(report),
  }));
  const tools = record.tools.flatMap(({ name, hash }) => (hash === null ? [] : [{ name, sha256: hash }]));
  return { commands, tools, judges: judgesOf(frozen) };
}

/** The shell's code for a command that could not be started. */
const notStarted = 127;

function judgesOf({ projectCriteria = [], settings }: SealedRecord["frozen"]): Verification["judges"] {
  const isAsked = projectCriteria.some(({ criterion }) => needsJudge(criterion.verification));
  const { agent, model } = settings.verification.judge;
  const program = agent ?? settings.agent.command;
  return isAsked && program !== null ? [{ program, model: model ?? null }] : [];
}
