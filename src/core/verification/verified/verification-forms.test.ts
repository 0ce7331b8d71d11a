import { describe, expect, it } from "vitest";
import { toJunit } from "./junit.ts";
import { toMarkdown } from "./markdown.ts";
import { toSarif } from "./sarif.ts";
import { stepTitle } from "../sealed/step-titles.ts";
import { verificationLines } from "./verification-lines.ts";
import { type Verification, verificationCodes, type VerifiedCheck } from "./verification.ts";

const passed: VerifiedCheck = {
  gate: "guardrail-1",
  name: "npm test",
  isPassed: true,
  isSealed: true,
  isUnverified: false,
  exitCode: 0,
  isTimedOut: false,
  durationMs: 1500,
  reason: "passed",
  tests: { passed: 2, failed: 0, skipped: 0, missing: 0, added: 1, names: [] },
  output: "",
  log: null,
};
const hostile = 'a | b <img src="x"> @everyone & `code`';
const red: VerifiedCheck = {
  ...passed,
  name: hostile,
  isPassed: false,
  exitCode: 1,
  reason: 'It "failed".',
  tests: { passed: 1, failed: 1, skipped: 0, missing: 0, added: 0, names: ["adds"] },
  output: "\u001b[31mred\u001b[0m\n<end>\u0000",
};
const verified: Verification = {
  verdict: "verified",
  reasons: [],
  base: { tree: "b".repeat(40), commit: "1".repeat(40) },
  candidate: { tree: "a".repeat(40), commit: null },
  contract: { hash: "c".repeat(64), revision: 1 },
  seal: { hash: "5".repeat(64), isolation: "namespace", problem: null },
  checks: [passed],
  commands: [{ command: "npm test", exitCode: 0, report: null }],
  tools: [],
  judges: [],
  step: null,
  durationMs: 65_000,
};
const refused: Verification = {
  ...verified,
  verdict: "refused",
  reasons: [`${hostile}: It "failed".`],
  checks: [passed, red],
  seal: { ...verified.seal, isolation: "copy", problem: "bwrap is not installed." },
};

describe("a verification as text", () => {
  it("names trees, contract, each check with its tests, and the verdict last", () => {
    const lines = verificationLines(verified);
    expect(lines).toContain("passed  npm test (sealed, 2 tests passed, 1 new, 1.5s)");
    expect(lines.at(-1)).toBe(`verified: 1 of 1 checks passed on tree ${"a".repeat(12)} (1m5s)`);
  });

  it("names the command that shows a refused step again, where commits name it", () => {
    const step = { ...red, name: stepTitle("probe") };
    const commit = "2".repeat(40);
    const found = { ...refused, checks: [passed, step], candidate: { ...refused.candidate, commit } };
    const command = `See it again with: ralph verify ${"1".repeat(12)}..${"2".repeat(12)} --step probe`;
    expect(verificationLines(found).at(-1)).toBe(command);
    expect(verificationLines({ ...found, step: "probe" }).at(-1)).not.toContain("See it again");
    expect(verificationLines({ ...found, candidate: refused.candidate }).at(-1)).not.toContain("See it again");
  });

  it("names each reason, and why there is no namespace", () => {
    const text = verificationLines(refused).join("\n");
    expect(text).toContain('@everyone & `code`: It "failed".');
    expect(text).toContain("isolation  copy: bwrap is not installed.");
    expect(text).toContain("refused: tree");
    expect(verificationLines({ ...verified, verdict: "disputed" }).at(-1)).toContain("a person has to decide");
    expect(verificationLines({ ...verified, step: "probe" }).at(-1)).toContain("by the step probe alone");
  });

  it("ends with the code of its verdict", () => {
    expect(verificationCodes).toEqual({ verified: 0, refused: 1, disputed: 3 });
  });
});

describe("a verification as SARIF", () => {
  it("has a rule for each check and a result for each red one, at a place", () => {
    const { version, runs } = JSON.parse(toSarif(refused, "1.2.3")) as {
      version: string;
      runs: { tool: { driver: { rules: unknown[] } }; results: { ruleId: string; message: { text: string } }[] }[];
    };
    expect(version).toBe("2.1.0");
    expect(runs[0]?.tool.driver.rules).toHaveLength(2);
    expect(runs[0]?.results).toMatchObject([{ ruleId: "check-2", level: "error", ruleIndex: 1 }]);
    expect(runs[0]?.results[0]?.message.text).toContain("Tests: adds.");
    expect(toSarif(verified, "1.2.3")).toContain('"results": []');
  });
});

describe("a verification as JUnit", () => {
  it("counts checks and failures, and holds nothing that XML forbids", () => {
    const xml = toJunit(refused);
    expect(xml).toContain('<testsuites tests="2" failures="1"');
    expect(xml).toContain('name="a | b &lt;img src=&quot;x&quot;&gt; @everyone &amp; `code`"');
    expect(xml).toContain('message="It &quot;failed&quot;.">[31mred[0m&#10;&lt;end&gt;</failure>');
    // oxlint-disable-next-line no-control-regex -- none of these may be in it
    expect(xml).not.toMatch(/[\u0000-\u0008\u001b]/);
  });
});

describe("a verification as Markdown", () => {
  it("has the verdict as its heading, the reasons and a row for each check", () => {
    const text = toMarkdown(refused);
    expect(text).toMatch(/^### refused: tree/);
    expect(text).toContain("| npm test | passed | 2 tests passed, 1 new | 1.5s |");
    expect(toMarkdown(verified)).toContain("1 command ran in a sealed namespace.");
  });

  it("leaves foreign words no way to a tag, a mention or another cell", () => {
    const row = toMarkdown(refused)
      .split("\n")
      .find((line) => line.includes("**red**"));
    expect(row?.split("|")).toHaveLength(6);
    expect(row).not.toMatch(/<img|@everyone|`code/);
  });
});
