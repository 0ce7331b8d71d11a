import { checkReceipt } from "../../../app/verify/check-receipt.ts";
import { verifyCommits } from "../../../app/verify/verify-commits.ts";
import { verifyStoredRun } from "../../../app/verify/verify-stored-run.ts";
import { writeReceipt } from "../../../app/verify/write-receipt.ts";
import { version } from "../../../app/prepare/version.ts";
import { RalphError } from "../../../core/ralph-error.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import type { Receipt } from "../../../core/verification/receipt/receipt.ts";
import { sealedStepNames } from "../../../core/verification/sealed/sealed-steps.ts";
import { toJunit } from "../../../core/verification/verified/junit.ts";
import { toMarkdown } from "../../../core/verification/verified/markdown.ts";
import { readTarget, type VerificationTarget } from "../../../core/verification/verified/read-range.ts";
import { toSarif } from "../../../core/verification/verified/sarif.ts";
import { type Verification, verificationCodes } from "../../../core/verification/verified/verification.ts";
import { verificationLines } from "../../../core/verification/verified/verification-lines.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { isOn, listOption, type Options, projectDirOption, textOption } from "../input/read-input.ts";

/** `ralph verify`: sealed verification of commits, of what is staged or of what a run left, without any loop. */
export default async function verify({ arguments: [word], options }: Input): Promise<number> {
  const target = readTarget(word);
  refuseMixed(options, target);
  const signal = endingSignal();
  try {
    return await perform(options, target, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    tell("The verification was interrupted.");
    return interruptedCode;
  }
}

/** What shells give for a program that was interrupted. */
const interruptedCode = 130;

async function perform(options: Options, target: VerificationTarget, signal: AbortSignal): Promise<number> {
  const receipt = textOption(options, "checkReceipt");
  if (receipt !== null) return check(options, { target, file: receipt, signal });
  const { verification, run } = await verified(options, target, signal);
  process.stdout.write(formOf(options, verification));
  await keepReceipt(options, verification, run);
  return verificationCodes[verification.verdict];
}

/** The steps that can be asked for alone. */
const steps: readonly string[] = sealedStepNames;
const forms = ["json", "sarif", "junit", "markdown"];

function refuseMixed(options: Options, target: VerificationTarget): void {
  const given = forms.filter((form) => isOn(options, form));
  if (given.length > 1)
    throw new RalphError("usage", `--${given.join(" and --")} exclude each other.`, "Give one form.");
  if (target.kind === "run" && isOn(options, "staged"))
    throw new RalphError("usage", "--staged verifies the index, and a run was named.", "Give one of them.");
  if (target.kind === "run" && textOption(options, "checkReceipt") !== null)
    throw new RalphError("usage", "A receipt is checked for commits, and a run was named.", "Give BASE..HEAD.");
  if (isOn(options, "rerun") && textOption(options, "checkReceipt") === null)
    throw new RalphError("usage", "--rerun belongs to --check-receipt FILE.", "Without it the checks run anyway.");
  const step = textOption(options, "step");
  if (step !== null && !steps.includes(step))
    throw new RalphError("usage", `--step takes ${steps.join(", ")}, found "${step}".`);
}

/** The first signal ends all checks and what they started. */
function endingSignal(): AbortSignal {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, end);
  return ending.signal;
}

function tell(line: string): void {
  process.stderr.write(cleanLines([line]));
}

async function verified(
  options: Options,
  target: VerificationTarget,
  signal: AbortSignal,
): Promise<{ verification: Verification; run: Receipt["run"] }> {
  const step = textOption(options, "step");
  if (target.kind === "run") return verifyStoredRun({ id: target.id, step, signal, tell });
  const projectDir = projectDirOption(options);
  const wish = { ...target, isStaged: isOn(options, "staged"), projectDir, step, signal, tell };
  return { verification: await verifyCommits(wish), run: null };
}

function formOf(options: Options, verification: Verification): string {
  if (isOn(options, "json")) return jsonResult(verification);
  if (isOn(options, "sarif")) return toSarif(verification, version);
  if (isOn(options, "junit")) return toJunit(verification);
  if (isOn(options, "markdown")) return toMarkdown(verification);
  return cleanLines(verificationLines(verification));
}

async function keepReceipt(options: Options, verification: Verification, run: Receipt["run"]): Promise<void> {
  const path = textOption(options, "receipt");
  if (path === null) return;
  const isUnsigned = isOn(options, "unsigned");
  const order = { path, keyId: textOption(options, "signWith"), isUnsigned, run, now: Date.now() };
  const written = await writeReceipt(wireProgram(), verification, order);
  if (written === null) tell("No receipt was written: only a candidate that every check accepted gets one.");
  else if (written.signedBy === null) tell(`Receipt: ${written.path}, unsigned. Make a key with: ralph keys create`);
  else tell(`Receipt: ${written.path}, signed by key ${written.signedBy.slice(0, 12)}.`);
}

type Checked = { target: VerificationTarget; file: string; signal: AbortSignal };

async function check(options: Options, { target, file, signal }: Checked): Promise<number> {
  if (target.kind === "run") throw new RalphError("usage", "A receipt is checked for commits.");
  const end = await checkReceipt({
    ...target,
    isStaged: isOn(options, "staged"),
    projectDir: projectDirOption(options),
    step: null,
    signal,
    tell,
    file,
    keyFiles: listOption(options, "key") ?? [],
    isUnsignedAllowed: isOn(options, "allowUnsigned"),
    isRerun: isOn(options, "rerun"),
  });
  const verdict = end.isValid ? `The receipt ${file} holds.` : `The receipt ${file} is refused.`;
  const signers = end.signedBy.map((id) => `Signed by key ${id.slice(0, 12)}.`);
  const text = cleanLines([...end.problems, ...end.notes, ...signers, verdict]);
  process.stdout.write(isOn(options, "json") ? jsonResult(end) : text);
  return end.isValid ? 0 : 1;
}
