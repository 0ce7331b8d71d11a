import { redacted, redactedText } from "../../../core/settings/redact.ts";
import { jsonResult } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { projectFindings } from "../../../app/setup/doctor-findings.ts";
import type { Finding } from "../../../shell/doctor/finding.ts";
import { wireProgram } from "../../../shell/wire.ts";
import type { Input } from "../input/command-spec.ts";
import { findNode } from "../doctor/find-node.ts";
import { findTerminal } from "../doctor/find-terminal.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";
import { shellWords } from "../../../core/text/shell-words.ts";

/** `ralph doctor`: whether a run could work here, line by line, each with its remedy. Starts no turn and uses no network. */
export default async function doctor({ options }: Input): Promise<number> {
  const projectDir = projectDirOption(options);
  const program = wireProgram();
  const findings = [
    ...(await projectFindings(program, projectDir)),
    findNode(process.versions.node),
    findTerminal(process.stderr, program.env),
    noSandbox,
  ];
  process.stdout.write(isOn(options, "json") ? asJson(findings) : findings.map(asText).join(""));
  return findings.some(({ state }) => state === "broken") ? 2 : 0;
}

const noSandbox: Finding = {
  name: "sandbox",
  state: "warn",
  text: "none: the agent works with your rights",
  remedy: "Let it work in a container or a virtual machine when you do not trust it.",
};

function asJson(findings: readonly Finding[]): string {
  const shown = findings.map((finding) =>
    finding.argv === undefined ? finding : { ...finding, argv: redacted(finding.argv) },
  );
  return jsonResult({ isReady: findings.every(({ state }) => state !== "broken"), findings: shown });
}

function asText({ name, state, text, remedy, argv }: Finding): string {
  const lines = [
    `${state.padEnd(8)}${name}: ${text}`,
    ...(argv === undefined ? [] : [`        $ ${redactedText(shellWords(argv))}`]),
    ...(remedy === null ? [] : [`        ${remedy}`]),
  ];
  return cleanLines(lines);
}
