import { redacted, redactedText } from "../../../core/settings/redact.ts";
import { problemLine } from "../../../core/settings/settings-problems.ts";
import { jsonLine } from "../../../core/text/json-text.ts";
import { cleanLines } from "../../../core/text/clean-text.ts";
import { findAgents } from "../../../shell/doctor/find-agents.ts";
import { findDelivery } from "../../../shell/doctor/find-delivery.ts";
import { findStore } from "../../../shell/doctor/find-store.ts";
import { fine, type Finding } from "../../../shell/doctor/finding.ts";
import { reportSettings, type SettingsReport } from "../../../shell/settings/load-settings.ts";
import { wireProgram } from "../../../shell/wire.ts";
import { ownStateFolder, wireStore } from "../../../shell/wire-store.ts";
import type { Input } from "../input/command-spec.ts";
import { findNode } from "../doctor/find-node.ts";
import { findTerminal } from "../doctor/find-terminal.ts";
import { isOn, projectDirOption } from "../input/read-input.ts";
import { shellWords } from "../terminal/shell-words.ts";

/** Tools that only print their version need no long grace. */
const killGraceMs = 500;

/** `ralph doctor`: whether a run could work here, line by line, each with its remedy. Starts no turn and uses no network. */
export default async function doctor({ options }: Input): Promise<number> {
  const projectDir = projectDirOption(options);
  const program = wireProgram();
  const place = { ...program, projectDir, killGraceMs };
  const report = await reportSettings({ disk: program.disk, env: program.env, projectDir }, null);
  const { settings } = report;
  const folder = ownStateFolder(program.env);
  const [agents, delivery, store] = await Promise.all([
    findAgents(place, settings?.agent ?? null),
    findDelivery(place, settings?.scm ?? null),
    findStore(folder, async () => (await wireStore({ folder })).store),
  ]);
  const findings = [
    ...settingsFindings(report),
    ...agents,
    ...delivery,
    store,
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

function settingsFindings({ problems, layers, warnings }: SettingsReport): Finding[] {
  const remedy = "Correct it; `ralph settings check` looks again.";
  const broken = problems.map((problem): Finding => ({
    name: "settings",
    state: "broken",
    text: problemLine(problem),
    remedy,
  }));
  const sources = layers.length === 0 ? "the defaults" : layers.map(({ source }) => source).join(", ");
  const warned = warnings.map((text): Finding => ({ name: "settings", state: "warn", text, remedy: "Unset it." }));
  return [...(broken.length === 0 ? [fine("settings", sources)] : broken), ...warned];
}

function asJson(findings: readonly Finding[]): string {
  const shown = findings.map((finding) =>
    finding.argv === undefined ? finding : { ...finding, argv: redacted(finding.argv) },
  );
  return jsonLine({ isReady: findings.every(({ state }) => state !== "broken"), findings: shown });
}

function asText({ name, state, text, remedy, argv }: Finding): string {
  const lines = [
    `${state.padEnd(8)}${name}: ${text}`,
    ...(argv === undefined ? [] : [`        $ ${redactedText(shellWords(argv))}`]),
    ...(remedy === null ? [] : [`        ${remedy}`]),
  ];
  return cleanLines(lines);
}
