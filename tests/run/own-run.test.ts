import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTree } from "../../src/surfaces/cli/tree/command-tree.ts";
import type { CommandSpec } from "../../src/surfaces/cli/input/command-spec.ts";
import { launcher, openProject, type ScratchProject, until } from "./scratch-project.ts";

/** Words for every command that changes something. */
const attempts: Record<string, string> = {
  cancel: "cancel",
  pause: "pause",
  resume: "resume --answer yes -m 50",
  init: "init --yes --force",
  "task create": "task create other-001 spec Title --outcome Easier",
  "task import": "task import tasks.yaml",
  "task edit": "task edit own-001 --outcome Easier",
  "task remove": "task remove own-001",
  "task generate": "task generate -f spec.md",
  "prd init": "prd init",
  "task follow-up": "task follow-up own --outcome x --acceptance y",
  "prd plan": "prd plan",
  "prd archive": "prd archive",
  "keys create": "keys create",
  "keys remove": "keys remove 00",
  "seal held-out add": "seal held-out add mine --command true",
  "seal held-out remove": "seal held-out remove mine",
  "plugin install": "plugin install claude-code",
  "plugin uninstall": "plugin uninstall claude-code",
};

/** Commands that an agent may call whenever it likes: they look, talk on the bus, or start something of their own. */
const harmless = [
  "run",
  "verify",
  "keys list",
  "keys export",
  "seal explain",
  "seal held-out list",
  "work",
  "supervise",
  "status",
  "show",
  "logs",
  "task list",
  "task show",
  "bus post",
  "bus read",
  "bus discover",
  "prd run",
  "prd status",
  "plugin status",
  "settings show",
  "settings schema",
  "settings check",
  "doctor",
  "completions",
  "demo",
  "sim",
];

function namesOf(specs: readonly CommandSpec[], isMeant: (spec: CommandSpec) => boolean, before = ""): string[] {
  return specs.flatMap((spec) =>
    spec.commands === undefined
      ? [`${before}${spec.name}`].filter(() => isMeant(spec))
      : namesOf(spec.commands, isMeant, `${before}${spec.name} `),
  );
}

/** In an agent's script: `try WORDS` runs ralph and writes down how that ended. */
function withRalph(body: string): string {
  return `ralph() { '${process.execPath}' '${launcher}' "$@"; }
try() { ralph "$@" > said 2>&1 < /dev/null; echo "$? $*: $(head -n 1 said)" >> tried; }
${body}`;
}

/** The exit code and the first line of each attempt. */
function triedIn(project: ScratchProject): { code: number; text: string }[] {
  const lines = project.has("tried") ? project.read("tried").trimEnd().split("\n") : [];
  return lines.map((line) => ({ code: Number.parseInt(line, 10), text: line.replace(/^\d+ /, "") }));
}

describe("an agent cannot act on its own run", () => {
  it("has an attempt for every command that says it changes something, and every other command is known", () => {
    expect(namesOf(commandTree, ({ changes }) => changes !== undefined).toSorted()).toEqual(
      Object.keys(attempts).toSorted(),
    );
    expect(namesOf(commandTree, ({ changes }) => changes === undefined).toSorted()).toEqual(harmless.toSorted());
  });

  it("by any command that changes runs, tasks, settings, keys or plugins, and the run goes on", async () => {
    const project = openProject();
    const words = Object.values(attempts);
    project.plainAgent(withRalph(`${words.map((each) => `try ${each}`).join("\n")}\nclaim`));
    const { code } = await project.run(["run", "-p", "Do it", "-m", "2"]);
    expect(code).toBe(0);
    const tried = triedIn(project);
    expect(tried.length).toBe(words.length);
    for (const { code: exitCode, text } of tried) expect({ exitCode, text }).toMatchObject({ exitCode: 2 });
    for (const { text } of tried) expect(text).toMatch(/: ralph: .* cannot be changed from inside /);
  });

  it.each([
    [
      "with a cleaned environment in a session of its own",
      'env -i PATH="$PATH" HOME="$HOME" RALPH_STATE_HOME="$RALPH_STATE_HOME" setsid -w',
    ],
    ["with its variables removed", "env -u RALPH_TURN -u RALPH_RUN_ID"],
  ])("%s", async (_, wrapper) => {
    const project = openProject();
    project.plainAgent(`${wrapper} '${process.execPath}' '${launcher}' cancel > said 2>&1; echo "$?" > code\nclaim`);
    const { code } = await project.run(["run", "-p", "Do it", "-m", "1"]);
    expect({ code, ralph: project.read("code").trim() }).toEqual({ code: 0, ralph: "2" });
    expect(project.read("said")).toContain("cannot be changed from inside itself");
  });

  it.each([
    ["as an orphan that keeps its session", "env -u RALPH_TURN -u RALPH_RUN_ID"],
    ["as an orphan that keeps its variables", "setsid"],
  ])("%s", async (_, wrapper) => {
    const project = openProject();
    const inner = `while [ ! -e parent-gone ]; do sleep 0.05; done; '${process.execPath}' '${launcher}' cancel > said 2>&1; echo "$?" > code.new; mv code.new code`;
    project.write("orphan.sh", inner);
    // The shell in between ends, so that the orphan's parent is no longer of this turn.
    project.plainAgent(
      `sh -c '${wrapper} sh orphan.sh & exit'\ntouch parent-gone\nn=0; while [ ! -e code ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done\nclaim`,
    );
    const { code } = await project.run(["run", "-p", "Do it", "-m", "1"]);
    expect({ code, ralph: project.read("code").trim() }).toEqual({ code: 0, ralph: "2" });
  });

  it("not even by a guardrail that it wrote", async () => {
    const project = openProject();
    const check = withRalph("try cancel\nexit 0");
    project.plainAgent(`cat > check.sh <<'END'\n${check}\nEND\nclaim`, {
      guardrails: [{ command: "sh check.sh", failAction: "APPEND" }],
    });
    const { code } = await project.run(["run", "-p", "Do it", "-m", "1"]);
    expect(code).toBe(0);
    expect(triedIn(project)).toMatchObject([{ code: 2 }]);
  });

  it("but may look, and may end a run that it started itself", async () => {
    const project = openProject();
    const inner = join(project.directory, "inner");
    mkdirSync(join(inner, ".ralph"), { recursive: true });
    writeFileSync(join(inner, ".ralph/settings.json"), JSON.stringify({ agent: { command: "true" } }));
    // A run that has ended is cancelled by its id alone, and the start said which it is.
    const startedId = String.raw`$(sed -n 's/^Run \([^ ]*\) starts.*/\1/p' said)`;
    const words = ["status", "show", "logs", "run -C inner -p Anything -m 1", `cancel ${startedId}`];
    project.plainAgent(withRalph(`${words.map((each) => `try ${each}`).join("\n")}\nclaim`));
    const { code } = await project.run(["run", "-p", "Do it", "-m", "1"]);
    expect(code).toBe(0);
    expect(triedIn(project).map((each) => each.code)).toEqual([0, 0, 0, 1, 0]);
  });

  it("while a person beside it can", async () => {
    const project = openProject();
    project.plainAgent("touch begun\nsleep 60");
    const running = project.start(["run", "-p", "Do it", "-m", "1"]);
    await until(() => project.has("begun"), "the agent");
    expect(await project.run(["cancel"])).toMatchObject({ code: 0 });
    await running.ended;
  });
});
