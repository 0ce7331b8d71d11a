import type { Verification, VerifiedCheck } from "./verification.ts";

/** A verification as SARIF 2.1.0: one result for each red check. `version` is that of ralph. */
export function toSarif({ checks, candidate, verdict }: Verification, version: string): string {
  const rules = checks.map(({ name }, index) => ({ id: ruleId(index), shortDescription: { text: name } }));
  const results = checks.flatMap((check, index) => (check.isPassed ? [] : [resultOf(check, index)]));
  const run = {
    tool: { driver: { name: "ralph", version, rules } },
    // The verification itself went well, whatever it found.
    invocations: [{ executionSuccessful: true }],
    properties: { verdict, tree: candidate.tree, commit: candidate.commit },
    results,
  };
  return `${JSON.stringify({ $schema: schema, version: "2.1.0", runs: [run] }, null, 2)}\n`;
}

const schema = "https://json.schemastore.org/sarif-2.1.0.json";

function ruleId(index: number): string {
  return `check-${index + 1}`;
}

/** Readers of SARIF want a place. A red check has none of its own: the file that asks for it stands for it. */
function resultOf({ name, reason, tests }: VerifiedCheck, index: number): object {
  const names = tests === null || tests.names.length === 0 ? "" : ` Tests: ${tests.names.join(", ")}.`;
  return {
    ruleId: ruleId(index),
    ruleIndex: index,
    level: "error",
    message: { text: `${name}: ${reason}${names}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: ".ralph/settings.json" }, region: { startLine: 1 } } }],
  };
}
