import type { Verification, VerifiedCheck } from "./verification.ts";

/** A verification as JUnit XML: one test case for each check. */
export function toJunit({ checks, candidate, durationMs }: Verification): string {
  const red = checks.filter(({ isPassed }) => !isPassed).length;
  const facts = `tests="${checks.length}" failures="${red}" errors="0" skipped="0" time="${secondsOf(durationMs)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${facts}>`,
    `  <testsuite name="ralph verify ${candidate.tree}" ${facts}>`,
    ...checks.map(caseOf),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function caseOf({ gate, name, isPassed, reason, output, durationMs }: VerifiedCheck): string {
  const head = `<testcase classname="${escaped(gate)}" name="${escaped(name)}" time="${secondsOf(durationMs)}"`;
  if (isPassed) return `    ${head}/>`;
  return `    ${head}><failure message="${escaped(reason)}">${escaped(output)}</failure></testcase>`;
}

function secondsOf(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

/** What XML cannot hold, as colour codes of a terminal, is left out. */
function escaped(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters that XML forbids
  const held = text.replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, "");
  return held
    .replaceAll(/[&<>"]/g, (letter) => names[letter] ?? letter)
    .replaceAll(/[\n\r\t]/g, (sign) => spaces(sign));
}

const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function spaces(sign: string): string {
  return `&#${sign.codePointAt(0) ?? 10};`;
}
