import { describe, expect, it } from "vitest";
import {
  findChangelogProblems,
  findLoosePackages,
  findMapProblems,
  findMissingDocuments,
  findUndatedDecisions,
  findUnknownScripts,
} from "./documents.ts";
import { findGateKinds, gateKindsOf } from "./gate-kinds.ts";
import {
  findAgentImports,
  findAgentNames,
  findBypassedApp,
  findGitStarts,
  findOutsideOfCore,
  findProcessStarts,
  findRawReads,
  findSchemaInEngine,
  findWrongDirections,
  importsOf,
} from "./imports.ts";
import { findLeakedRules } from "./loop-rules.ts";
import { findCircles, findForeignImports, findIdleLines } from "./modules.ts";
import { findBadFileNames, findBadTypeNames, findLongFiles } from "./names.ts";
import { findOutsideReferences, findRequirementProblems, findUnexplainedIds } from "./requirements.ts";
import type { SourceFile } from "./source-file.ts";
import { findMachineTraces, findOpenEnds, findShortTitles, findSwitchedOffTests } from "./texts.ts";

/** A rule, a small repository as path and text, and whether the rule must object. */
type Row = [rule: (files: SourceFile[]) => string[], content: Record<string, string>, isObjected: boolean];

const wrongDirections = (files: SourceFile[]): string[] => findWrongDirections(files, {});
const reached = "src/surfaces/hooks/b.ts -> src/shell/lib/b.ts";
const bypassedApp = (files: SourceFile[]): string[] => findBypassedApp(files, { [reached]: "a reader" });
const foreignImports = (files: SourceFile[]): string[] =>
  findForeignImports(files, { "core/a": ["core/b"], "core/b": [], "core/c": ["core/a"], "shell/x.ts": [] });
const agentImports = (files: SourceFile[]): string[] => findAgentImports(files, {});
const agentNames = (files: SourceFile[]): string[] => findAgentNames(files, ["claude", "amp"], {});
const gateKinds = (files: SourceFile[]): string[] =>
  findGateKinds(
    [{ path: "src/core/contract/task-list.ts", text: `export const taskListKind = "task-list";` }, ...files],
    {},
  );
const rawReads = (files: SourceFile[]): string[] => findRawReads(files, { "src/shell/a.ts": "reader" });
const listOf = (ids: object): string => JSON.stringify({ groups: { engine: 2, later: null }, ids });
const requirements = (lines: string, ids: object = { "R-01": ["engine"] }): Record<string, string> => ({
  "docs/requirements.md": lines,
  "docs/requirements.json": listOf(ids),
});
const unexplained = (files: SourceFile[]): string[] => findUnexplainedIds(files, { "scripts/example.ts": "example" });
const said = "- **R-01** A tag in the prompt counts for nothing.";
const gitStarts = (files: SourceFile[]): string[] => findGitStarts(files, {});
const processStarts = (files: SourceFile[]): string[] => findProcessStarts(files, { "src/shell/port.ts": "the port" });
const machineTraces = (files: SourceFile[]): string[] => findMachineTraces(files, "/builds/ralph-7");

describe("a rule objects to what it forbids and to nothing else", () => {
  it.each<Row>([
    [findLongFiles, { "src/a.ts": "\n".repeat(401) }, true],
    [findLongFiles, { "src/a.ts": "\n".repeat(400), "tests/fixtures/a.ts": "\n".repeat(500) }, false],
    [findBadFileNames, { "src/core/runState.ts": "" }, true],
    [findBadFileNames, { "src/Core/state.ts": "" }, true],
    [findBadFileNames, { "src/core/types.ts": "" }, true],
    [findBadFileNames, { "src/shell/utils.ts": "" }, true],
    [findBadFileNames, { "src/shell/index.ts": "" }, true],
    [findBadFileNames, { "src/core/run-state.test.ts": "", "src/index.ts": "", "src/core/index.ts": "" }, false],
    [findBadTypeNames, { "src/a.ts": "export type RunManager = {};" }, true],
    [findBadTypeNames, { "src/a.ts": "export class TurnInfo {}" }, true],
    [findBadTypeNames, { "src/a.ts": "export type IStore = {};" }, true],
    [findBadTypeNames, { "src/a.ts": "export type GitPlace = {};" }, true],
    [findBadTypeNames, { "src/a.ts": "export type Turn = {};\nexport type Idle = {};\ntype RowData = {};" }, false],
    [wrongDirections, { "src/core/a.ts": `import { b } from "../shell/b.ts";` }, true],
    [wrongDirections, { "src/core/a.ts": `import type { B } from "../shell/b.ts";` }, true],
    [wrongDirections, { "src/shell/a.ts": `import { b } from "../surfaces/cli/b.ts";` }, true],
    [wrongDirections, { "src/shell/a.ts": `const b = await import("../surfaces/cli/b.ts");` }, true],
    [wrongDirections, { "src/shell/a.ts": `import { b } from "../app/b.ts";` }, true],
    [wrongDirections, { "src/app/a.ts": `import { b } from "../surfaces/cli/b.ts";` }, true],
    [wrongDirections, { "src/app/a.ts": `import { b } from "../shell/b.ts";\nimport "./c.ts";` }, false],
    [wrongDirections, { "src/surfaces/cli/a.ts": `import { b } from "../../app/b.ts";` }, false],
    [wrongDirections, { "src/surfaces/cli/a.ts": `export { b } from "../web/b.ts";` }, true],
    [wrongDirections, { "src/shell/agents/amp/a.ts": `import { b } from "../claude/b.ts";` }, true],
    [wrongDirections, { "src/shell/a.ts": `import { a } from "../index.ts";` }, true],
    [bypassedApp, { "src/surfaces/cli/a.ts": `import { b } from "../../shell/b.ts";` }, true],
    [bypassedApp, { "src/surfaces/cli/a.ts": `const b = await import("../../shell/lib/b.ts");` }, true],
    [bypassedApp, { "src/surfaces/cli/a.ts": `import { type B, b } from "../../shell/b.ts";` }, true],
    [bypassedApp, { "src/surfaces/hooks/a.ts": `import { b } from "../../shell/lib/b.ts";` }, true],
    [bypassedApp, { "src/surfaces/hooks/b.ts": `import { b } from "../../shell/lib/b.ts";` }, false],
    [bypassedApp, { "src/surfaces/cli/a.ts": `import { wire } from "../../shell/wire.ts";` }, false],
    [bypassedApp, { "src/surfaces/cli/a.ts": `import type { B } from "../../shell/b.ts";` }, false],
    [bypassedApp, { "src/surfaces/cli/a.ts": `import { b } from "../../app/b.ts";` }, false],
    [bypassedApp, { "src/app/a.ts": `import { b } from "../shell/b.ts";` }, false],
    [wrongDirections, { "src/shell/agents/amp/a.ts": `import { b } from "../adapter.ts";` }, false],
    [wrongDirections, { "src/index.ts": `export { b } from "./surfaces/cli/b.ts";` }, false],
    [wrongDirections, { "src/core/a.test.ts": `import { b } from "../shell/b.ts";` }, false],
    [foreignImports, { "src/core/a/x.ts": `import { c } from "../c/c.ts";` }, true],
    [foreignImports, { "src/core/a/x.ts": `import type { C } from "../bc/c.ts";` }, true],
    [
      foreignImports,
      {
        "src/core/a/x.ts": `import { b } from "../b/b.ts";
import "./y.ts";`,
      },
      false,
    ],
    [foreignImports, { "src/core/d/x.ts": `` }, true],
    [foreignImports, { "src/shell/x.ts": `import { b } from "../core/b/b.ts";` }, true],
    [processStarts, { "src/shell/a.ts": `import { spawn } from "node:child_process";` }, true],
    [processStarts, { "src/app/a.ts": `import * as processes from "child_process";` }, true],
    [processStarts, { "src/surfaces/a.ts": `const { fork } = await import("node:child_process");` }, true],
    [processStarts, { "src/shell/a.ts": `import type { ChildProcess } from "node:child_process";` }, false],
    [
      processStarts,
      { "src/app/a.ts": ` * import { spawn } from "x";\n// import { spawn } from "node:child_process";` },
      false,
    ],
    [processStarts, { "src/shell/port.ts": `import { spawn } from "node:child_process";` }, false],
    [processStarts, { "src/shell/a.test.ts": `import { spawn } from "node:child_process";` }, false],
    [gitStarts, { "src/shell/delivery/a.ts": `spawn("git", ["status"])` }, true],
    [gitStarts, { "src/surfaces/cli/a.ts": `await tool(["git", "status"])` }, true],
    [gitStarts, { "src/shell/git/a.ts": `argv: ["git", ...words]`, "src/shell/a.ts": `program ?? "git"` }, false],
    [findOutsideOfCore, { "src/core/a.ts": `import { readFileSync } from "node:fs";` }, true],
    [findOutsideOfCore, { "src/core/a.ts": `import { parse } from "yaml";` }, true],
    [findOutsideOfCore, { "src/core/a.ts": `import { z } from "zod";` }, true],
    [findOutsideOfCore, { "src/core/a.ts": `import "jsonc-parser";`, "src/shell/a.ts": `import "node:fs";` }, false],
    [findSchemaInEngine, { "src/core/engine/a.ts": `import { z } from "zod";` }, true],
    [
      findSchemaInEngine,
      {
        "src/core/engine/a.ts": `import { b } from "../settings/b.ts";`,
        "src/core/settings/b.ts": `import { z } from "zod";`,
      },
      true,
    ],
    [
      findSchemaInEngine,
      {
        "src/core/engine/a.ts": `import type { B } from "../settings/b.ts";`,
        "src/core/settings/b.ts": `import { z } from "zod";`,
      },
      false,
    ],
    [gateKinds, { "src/shell/a.ts": `if (gate.kind === "task-list") return;` }, true],
    [gateKinds, { "src/core/engine/a.ts": `const isList = "task-list" !== gate.kind;` }, true],
    [gateKinds, { "src/shell/a.ts": `const gate = { id: "x", kind: "task-list" };` }, true],
    [gateKinds, { "src/core/a.ts": `type A = { kind: "other" | "task-list" };` }, true],
    [gateKinds, { "src/surfaces/cli/a.ts": `switch (kind) {\n  case "task-list":\n}` }, true],
    [gateKinds, { "src/shell/prd/a.ts": `import { taskListKind } from "../../core/contract/task-list.ts";` }, true],
    [gateKinds, { "src/shell/gates/guardrail.ts": `kind: "task-list"` }, true],
    [gateKinds, { "src/shell/gates/task-list.ts": `kind: "task-list"`, "src/shell/wire.ts": `taskListKind` }, false],
    [gateKinds, { "src/core/settings/a.ts": `kind: "task-list"`, "src/shell/a.test.ts": `kind: "task-list"` }, false],
    [gateKinds, { "src/core/a.ts": `// kind: "task-list"\nconst name = "task-list"; say("the task-list");` }, false],
    [gateKinds, { "src/core/a.ts": `kind: "task-list-state"` }, false],
    [rawReads, { "src/shell/b.ts": `import { statSync, readFileSync } from "node:fs";` }, true],
    [rawReads, { "src/shell/b.ts": `import {\n  open,\n} from "node:fs/promises";` }, true],
    [rawReads, { "src/shell/b.ts": `import * as fs from "node:fs";` }, true],
    [rawReads, { "src/shell/a.ts": `import { readFileSync } from "node:fs";` }, false],
    [rawReads, { "src/shell/b.ts": `import { readdirSync, rmSync, type Stats } from "node:fs";` }, false],
    [agentImports, { "src/surfaces/cli/a.ts": `import { b } from "../../shell/agents/amp/b.ts";` }, true],
    [agentImports, { "src/shell/agents/sim/a.ts": `import { b } from "../amp/b.ts";` }, true],
    [agentImports, { "src/shell/wire.ts": `import { b } from "./agents/amp/b.ts";` }, false],
    [agentImports, { "src/shell/agents/amp/a.ts": `import { b } from "./b.ts";` }, false],
    [agentNames, { "src/shell/drivers/a.ts": `if (name === "claude") return;` }, true],
    [agentNames, { "src/shell/agents/amp/a.ts": "`claude`" }, true],
    [agentNames, { "src/shell/agents/claude/a.ts": `"claude"`, "src/shell/wire.ts": `"amp"` }, false],
    [
      agentNames,
      { "src/surfaces/sim/a.ts": `"claude"`, "src/core/a.ts": `// "claude"\nconst text = "claude says";` },
      false,
    ],
    [findLeakedRules, fault("001", { file: "src/shell/a.ts" }), true],
    [findLeakedRules, fault("001", { file: "src/surfaces/cli/a.ts", duty: "view" }), false],
    [findLeakedRules, fault("001", { file: "bin/ralph.js", duty: "package" }), false],
    [findLeakedRules, fault("001", { file: "src/core/engine/a.ts", duty: "relay" }), true],
    [findLeakedRules, fault("001", { file: "src/core/engine/a.ts" }), false],
    [
      findLeakedRules,
      {
        ...fault("001", { file: "src/core/session/a.ts" }),
        ...fault("002", { file: "src/shell/a.ts", duty: "relay" }),
      },
      true,
    ],
    [
      findLeakedRules,
      { ...fault("001", { file: "src/core/text/a.ts" }), ...fault("002", { file: "src/shell/a.ts", duty: "view" }) },
      false,
    ],
    [findSwitchedOffTests, { "src/a.test.ts": `it.skip("x", () => {});` }, true],
    [findSwitchedOffTests, { "src/a.test.ts": `describe.only("x", () => {});` }, true],
    [findSwitchedOffTests, { "src/a.test.ts": `it.concurrent.todo("x");` }, true],
    [findSwitchedOffTests, { "src/a.test.ts": `it.skipIf(isOld)("x", () => {});` }, false],
    [findOpenEnds, { "src/a.ts": `// TODO: later` }, true],
    [findOpenEnds, { "scripts/a.js": `// FIXME #12` }, true],
    [findOpenEnds, { "src/a.ts": `// TODO #12: later\n// TODO (#3)` }, false],
    [machineTraces, { "docs/a.md": "in /home/somebody/ralph" }, true],
    [machineTraces, { "docs/a.md": "in /root/ralph" }, true],
    [machineTraces, { "docs/a.md": "cd /builds/ralph-7" }, true],
    [machineTraces, { "package-lock.json": `"resolved": "https://example.org/a.tgz"` }, true],
    [machineTraces, { "docs/a.md": "in /home/user/project or /tmp/x, /builds/ralph-70" }, false],
    [findShortTitles, { "src/a.test.ts": `it("works", () => {});` }, true],
    [findShortTitles, { "src/a.test.ts": `it.each(rows)("each row", () => {});` }, true],
    [
      findShortTitles,
      { "src/a.test.ts": `it("ends with a sentence", () => {});\nit.each(rows)("refuses %s", () => {});` },
      false,
    ],
    [findMissingDocuments, { "README.md": "npm run demo, npm test" }, true],
    [findMissingDocuments, { ...allDocuments(), "README.md": "npm test" }, true],
    [findMissingDocuments, allDocuments(), false],
    [unexplained, { "src/a.ts": "// so (R-01, R-02)", ...requirements(said) }, true],
    [unexplained, { "tests/faults/001-a.json": `{"breaks":"R-02"}`, ...requirements(said) }, true],
    [unexplained, { "docs/guide/a.md": "see R-02", ...requirements(said) }, true],
    [unexplained, { "src/a.ts": "R-01", "scripts/example.ts": "R-02", ...requirements(said) }, false],
    [findOutsideReferences, { "src/a.test.ts": "// as design §4 says" }, true],
    [findOutsideReferences, { "src/a.ts": "// word for word as document 002 has it" }, true],
    [findOutsideReferences, { "docs/decisions/2026-01-31-a.md": "design §4" }, false],
    [findRequirementProblems, requirements(said, {}), true],
    [findRequirementProblems, requirements(""), true],
    [findRequirementProblems, requirements(`${said}\n${said}`), true],
    [findRequirementProblems, requirements("- **R-01** tags"), true],
    [findRequirementProblems, requirements(said, { "R-01": ["later"] }), true],
    [findRequirementProblems, requirements("- **R-01** later: tags in the prompt."), true],
    [findRequirementProblems, requirements(said), false],
    [findMapProblems, { "ARCHITECTURE.md": "`src/core/gone`" }, true],
    [findMapProblems, { "ARCHITECTURE.md": "", "src/core/a/b.ts": "" }, true],
    [findMapProblems, { "ARCHITECTURE.md": "`src/surfaces/hooks`", "src/surfaces/cli/tree/a.ts": "" }, true],
    [
      findMapProblems,
      { "ARCHITECTURE.md": "`src/core/a`, `b`", "src/core/a/x.ts": "", "src/surfaces/cli/b/y.ts": "" },
      false,
    ],
    [findUndatedDecisions, { "docs/decisions/0001-a.md": "# A\n" }, true],
    [findUndatedDecisions, { "docs/decisions/0001-a.md": "# A\n\n2026-01-31\n" }, false],
    [findUndatedDecisions, { "docs/decisions/2026-01-31-a.md": "# A\n", "docs/decisions/README.md": "" }, false],
    [findChangelogProblems, { "CHANGELOG.md": "# Changes\n\n## 0.1.0\n\n## Unreleased\n" }, true],
    [findChangelogProblems, {}, true],
    [findChangelogProblems, { "CHANGELOG.md": "# Changes\n\n## Unreleased\n" }, false],
    [findUnknownScripts, { "README.md": "`npm run show`", "package.json": `{"scripts":{"demo":""}}` }, true],
    [findUnknownScripts, { "README.md": "`npm run demo`", "package.json": `{"scripts":{"demo":""}}` }, false],
    [findLoosePackages, { "package.json": `{"dependencies":{"a":"^1.0.0"}}` }, true],
    [findLoosePackages, { "package-lock.json": `{"packages":{"":{},"node_modules/a":{"version":"1.0.0"}}}` }, true],
    [
      findLoosePackages,
      {
        "package.json": `{"devDependencies":{"a":"1.0.0"}}`,
        "package-lock.json": `{"packages":{"":{},"node_modules/a":{"integrity":"sha512-x"}}}`,
      },
      false,
    ],
  ])("in row %#", (rule, content, isObjected) => {
    const problems = rule(Object.entries(content).map(([path, text]) => ({ path, text })));
    expect({ problems, isObjected: problems.length > 0 }).toEqual({ problems, isObjected });
  });

  it("lets an exception pass that is listed with its reason, and only that one", () => {
    const file = { path: "src/shell/agents/amp/a.ts", text: `import "../claude/b.ts";\nimport "../claude/c.ts";` };
    const listed = { "src/shell/agents/amp/a.ts -> src/shell/agents/claude/b.ts": "same stream" };
    const left = ["src/shell/agents/amp/a.ts -> src/shell/agents/claude/c.ts"];
    expect(findWrongDirections([file], listed)).toEqual(left);
    expect(findAgentImports([file], listed)).toEqual(left);
    expect(findAgentNames([{ path: "src/a.ts", text: `"amp"` }], ["amp"], { "src/a.ts": "default" })).toEqual([]);
  });

  it("finds the kinds of gates where they are declared", () => {
    const text = `export const aKind = "a";\nexport const aGateId = "b";`;
    expect(gateKindsOf([{ path: "src/core/contract/a.ts", text }])).toEqual(["a"]);
    expect(gateKindsOf([{ path: "src/core/a.ts", text }])).toEqual([]);
  });
});

describe("the imports of a file", () => {
  it("are found in every form, resolved from the root and marked when they vanish at run time", () => {
    const text = [
      `import type { A } from "./a.ts";`,
      `import {\n  b,\n  type C,\n} from "../b/c.ts";`,
      `export { d } from "@scope/d/deep";`,
      `import "node:fs";`,
      `const e = await import("./e.ts");`,
      `// import { f } from "./f.ts";`,
      `/* import { g } from "./g.ts"; */`,
    ].join("\n");
    expect(importsOf({ path: "src/core/x.ts", text })).toEqual([
      { target: "src/core/a.ts", isTypeOnly: true },
      { target: "src/b/c.ts", isTypeOnly: false },
      { target: "@scope/d", isTypeOnly: false },
      { target: "node:fs", isTypeOnly: false },
      { target: "src/core/e.ts", isTypeOnly: false },
    ]);
  });
});

/** A fault file that breaks one thing. */
function fault(number: string, fields: Record<string, string>): Record<string, string> {
  const given = { breaks: "every claim is checked", find: "before", replace: "after", ...fields };
  return { [`tests/faults/${number}-breaks-a-line.json`]: JSON.stringify(given) };
}

function allDocuments(): Record<string, string> {
  const names = ["README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG", "AGENTS", "docs/glossary"];
  return Object.fromEntries(names.map((name) => [`${name}.md`, "npm run demo, npm test"]));
}

describe("a list of modules", () => {
  it("has a circle when a module reaches itself, by whatever way", () => {
    expect(findCircles({ a: ["b"], b: ["c"], c: ["b"] })).toEqual(["b -> c -> b"]);
    expect(findCircles({ a: ["b", "c"], b: ["c"], c: [] })).toEqual([]);
  });

  it("has a line too many for what nobody imports", () => {
    const files = [{ path: "src/a/x.ts", text: `import { y } from "../b/y.ts";` }];
    expect(findIdleLines(files, { a: ["b", "c"], b: [], c: [] })).toEqual([
      "a never imports c",
      "b has no file",
      "c has no file",
    ]);
  });
});
