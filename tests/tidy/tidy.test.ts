import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
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
  type Exceptions,
} from "./imports.ts";
import { findLeakedRules } from "./loop-rules.ts";
import { findCircles, findForeignImports, findIdleLines, parseModules } from "./modules.ts";
import { findBadFileNames, findBadTypeNames, findLongFiles } from "./names.ts";
import { findOutsideReferences, findRequirementProblems, findUnexplainedIds } from "./requirements.ts";
import { isProduct, readRepository } from "./source-file.ts";
import { findMachineTraces, findOpenEnds, findShortTitles, findSwitchedOffTests } from "./texts.ts";

const root = resolve(join(import.meta.dirname, "../.."));
const files = readRepository(root);
const modules = parseModules(readFileSync(join(import.meta.dirname, "DEPS.list"), "utf8"));
const agents = ["claude", "codex", "amp", "opencode", "gemini", "copilot"];

/** `from -> to` with the reason. The lists only shrink. */
const sidewaysImports: Exceptions = {
  "src/surfaces/cli/commands/sim.ts -> src/surfaces/sim/sim.ts": "`ralph sim` is a command of the one program",
};

const hostRecord = "reads the record of its host, in each hook, with nothing around the reader";
const compiledPart = "loads what V8 made of a hook before the hook itself is there";

/** Imports of values of the shell by surfaces, with the reason. */
const surfaceImports: Exceptions = {
  "src/surfaces/hooks/claude/read-lines-backwards.ts -> src/shell/lib/read-text-file.ts": hostRecord,
  "src/surfaces/hooks/claude/transcript-offset.ts -> src/shell/lib/read-text-file.ts": hostRecord,
  "src/surfaces/hooks/compiled/compiled-files.ts -> src/shell/lib/read-text-file.ts": compiledPart,
  "src/surfaces/hooks/compiled/compiled-files.ts -> src/shell/lib/write-atomic-now.ts": compiledPart,
  "src/surfaces/hooks/compiled/compiled-files.ts -> src/shell/stores/state-folder.ts": compiledPart,
  "src/surfaces/hooks/compiled/load-part.ts -> src/shell/lib/read-text-file.ts": compiledPart,
};

/** Files outside an agent's own places that name agents, with the reason. */
const filesNamingAgents: Exceptions = {
  "src/core/guard/facts/agent-programs.ts": "programs that no command may end, whoever drives them",
  "src/shell/drivers/agent-of.ts": "the hint for missing settings shows a complete example",
};

/** Files that use the name of a gate's kind for a kind of something else, with the reason. */
const filesNamingKinds: Exceptions = {
  "src/core/prd/revision.ts": "a kind of edit: people changed a criterion of a task",
  "src/core/run/revision.ts": "a kind of edit: people changed a criterion of a task",
};

const ownProcess = "a process of its own that plays the agent";
const shipped = "reads what the package ships";
const kernel = "reads what the kernel reports";

const port = "a part of the port itself";

/** Files that start processes without the port, with the reason. */
const processStarters: Exceptions = {
  "src/shell/processes/processes.ts": port,
  "src/shell/processes/run-on-terminal.ts": port,
  "src/shell/processes/output-pipes.ts": "makes the pipes of the port",
  "src/shell/processes/run-now.ts": "a part of the port: for git and ps, which a hook and a table cannot wait for",
  "src/surfaces/sim/work.ts": ownProcess,
};

/** Files that open or read files without the common reader, with the reason. */
const rawReaders: Exceptions = {
  "src/shell/lib/read-text-file.ts": "the common reader",
  "src/shell/lib/shared-files.ts": "opens without blocking, looks at what it opened",
  "src/shell/lib/disk.ts": "opens only new files and folders, to write them through to the disk",
  "src/shell/lib/log-file.ts": "opens only new files to write, reads through the common reader",
  "src/shell/stores/sqlite/open-database.ts": "makes the database file with its mode",
  "src/shell/lib/write-atomic-now.ts": "opens only new files",
  "src/shell/sessions/alert-file.ts": "opens without blocking to read and write, looks at what it opened",
  "src/shell/supervise/records/run-liveness.ts": kernel,
  "src/shell/processes/proc-table.ts": kernel,
  "src/shell/lib/maker-tag.ts": kernel,
  "src/shell/processes/lineage.ts": kernel,
  "src/shell/processes/output-pipes.ts": "opens pipes of its own",
  "src/shell/agents/claude/claude-plugin.ts": shipped,
  "src/shell/agents/opencode/opencode-plugin.ts": shipped,
  "src/shell/prd/folder/templates.ts": shipped,
  "src/surfaces/sim/turn-choice.ts": ownProcess,
  "src/surfaces/sim/work.ts": ownProcess,
  "src/surfaces/sim/outlet.ts": ownProcess,
  "src/surfaces/sim/sim.ts": ownProcess,
};

/** Files that make up ids as examples, with the reason. */
const filesWithExampleIds: Exceptions = {
  "scripts/requirement-ids.ts": "says which text is not an id",
  "tests/faults/fault-runner.test.ts": "runs on a repository of its own",
  "tests/faults/faults.test.ts": "says which text is not an id",
};

describe("the repository", () => {
  it("was found, so that the rules below see something", () => {
    expect(files.filter(isProduct).length).toBeGreaterThan(15);
    expect(gateKindsOf(files).length).toBeGreaterThan(4);
  });

  it("lists no exception that is not needed any more", () => {
    const naming = findAgentNames(files, agents, {}).map((problem) => problem.split(":")[0]);
    expect(Object.keys(filesNamingAgents).filter((path) => !naming.includes(path))).toEqual([]);
    const kinds = findGateKinds(files, {}).map((problem) => problem.split(":")[0]);
    expect(Object.keys(filesNamingKinds).filter((path) => !kinds.includes(path))).toEqual([]);
    const reading = findRawReads(files, {}).map((problem) => problem.split(":")[0]);
    expect(Object.keys(rawReaders).filter((path) => !reading.includes(path))).toEqual([]);
    const starting = findProcessStarts(files, {}).map((problem) => problem.split(" ")[0]);
    expect(Object.keys(processStarters).filter((path) => !starting.includes(path))).toEqual([]);
    const citing = findUnexplainedIds(files, {}).map((problem) => problem.split(":")[0]);
    expect(Object.keys(filesWithExampleIds).filter((path) => !citing.includes(path))).toEqual([]);
    const imports = [...findWrongDirections(files, {}), ...findAgentImports(files, {})];
    expect(Object.keys(sidewaysImports).filter((problem) => !imports.includes(problem))).toEqual([]);
    const bypassing = findBypassedApp(files, {});
    expect(Object.keys(surfaceImports).filter((problem) => !bypassing.includes(problem))).toEqual([]);
  });

  it.each([
    ["has no source file above 400 lines", () => findLongFiles(files)],
    ["names files in kebab-case and for their content", () => findBadFileNames(files)],
    ["exports no type named for nothing in particular", () => findBadTypeNames(files)],
    [
      "imports from surfaces to app to shell to core and never sideways",
      () => findWrongDirections(files, sidewaysImports),
    ],
    ["lets surfaces call app, not the shell", () => findBypassedApp(files, surfaceImports)],
    ["lets a module import what its line allows", () => findForeignImports(files, modules)],
    ["has no modules that import each other in a circle", () => findCircles(modules)],
    ["allows a module nothing that it does not import", () => findIdleLines(files, modules)],
    ["starts processes through the port only", () => findProcessStarts(files, processStarters)],
    ["starts git in one folder only", () => findGitStarts(files, {})],
    ["keeps Node and packages out of core", () => findOutsideOfCore(files)],
    ["keeps the schema library out of what a hook needs", () => findSchemaInEngine(files)],
    ["reads files through the one reader that never blocks", () => findRawReads(files, rawReaders)],
    ["lets only the wiring import the agents", () => findAgentImports(files, sidewaysImports)],
    ["names an agent only in its own places", () => findAgentNames(files, agents, filesNamingAgents)],
    ["knows a kind of gate only in its own places", () => findGateKinds(files, filesNamingKinds)],
    ["decides how a loop continues in core alone", () => findLeakedRules(files)],
    ["has no test switched off by hand", () => findSwitchedOffTests(files)],
    ["leaves no open end without an issue", () => findOpenEnds(files)],
    ["holds no trace of a machine", () => findMachineTraces(files, root)],
    ["titles every test with a sentence", () => findShortTitles(files)],
    ["has its documents, and the README names both commands", () => findMissingDocuments(files)],
    ["explains every requirement id that is cited", () => findUnexplainedIds(files, filesWithExampleIds)],
    ["refers to no document outside the repository", () => findOutsideReferences(files)],
    ["has one sentence for each requirement of the list", () => findRequirementProblems(files)],
    ["has a code map that is true", () => findMapProblems(files)],
    ["dates every decision", () => findUndatedDecisions(files)],
    ["has the unreleased changes on top of the change log", () => findChangelogProblems(files)],
    ["documents only scripts that exist", () => findUnknownScripts(files)],
    ["pins every package", () => findLoosePackages(files)],
  ])("%s", (_, findProblems) => {
    expect(findProblems()).toEqual([]);
  });
});
