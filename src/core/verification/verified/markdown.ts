import { formatDuration } from "../../text/duration.ts";
import { testWords } from "../sealed/sealed-words.ts";
import { verdictText } from "./verification-lines.ts";
import type { Verification, VerifiedCheck } from "./verification.ts";

/** A verification as Markdown, for a comment on a pull request. Foreign words in it are text: no link, no tag, no mention. */
export function toMarkdown(verification: Verification): string {
  const { base, candidate, contract, seal, checks, reasons, commands } = verification;
  return [
    `### ${escaped(verdictText(verification))}`,
    "",
    ...reasons.map((reason) => `- ${escaped(reason)}`),
    ...(reasons.length === 0 ? [] : [""]),
    "| check | result | tests | time |",
    "| --- | --- | --- | --- |",
    ...checks.map(rowOf),
    "",
    `Base \`${base.commit ?? base.tree}\`, candidate \`${candidate.commit ?? candidate.tree}\`, contract \`${contract.hash}\`.`,
    `${commands.length} ${commands.length === 1 ? "command" : "commands"} ran in a sealed ${seal.isolation}.`,
    "",
  ].join("\n");
}

function rowOf({ name, isPassed, isSealed, tests, durationMs }: VerifiedCheck): string {
  const unreported = isSealed ? "exit code only" : "";
  const shown = tests === null ? unreported : testWords(tests);
  return `| ${escaped(name)} | ${isPassed ? "passed" : "**red**"} | ${shown} | ${formatDuration(durationMs)} |`;
}

function escaped(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[\\`*_[\]<>|#@!&~]/g, (sign) => `&#${sign.codePointAt(0) ?? 0};`);
}
